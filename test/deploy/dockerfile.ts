/** An instruction of a Dockerfile, its lines joined. */
export interface Instruction {
  readonly name: string;
  readonly rest: string;
}

/** The stages of a Dockerfile, each with its base, and the instructions of each. */
export function stagesOf(text: string): { readonly base: string; readonly instructions: readonly Instruction[] }[] {
  const lines = text
    .split("\n")
    .filter((line) => !line.startsWith("#"))
    .join("\n")
    .replace(/\\\n/g, " ")
    .split("\n");
  const instructions = lines.flatMap((line) => {
    const [, name, rest] = /^([A-Z]+)\s+(.*)$/.exec(line) ?? [];
    return name === undefined || rest === undefined ? [] : [{ name, rest: rest.replace(/\s+/g, " ") }];
  });
  const stages: { base: string; instructions: Instruction[] }[] = [];
  for (const instruction of instructions) {
    if (instruction.name === "FROM") stages.push({ base: instruction.rest, instructions: [] });
    else stages.at(-1)?.instructions.push(instruction);
  }
  return stages;
}

/** Variables that a stage sets for the program. */
export function variablesOf(instructions: readonly Instruction[]): Map<string, string> {
  const pairs = instructions
    .filter(({ name }) => name === "ENV")
    .flatMap(({ rest }) => rest.split(" "))
    .map((pair) => pair.split("=", 2));
  return new Map(pairs.map(([name = "", value = ""]) => [name, value]));
}
