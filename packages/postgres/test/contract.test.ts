import { storageContract } from "@loredex/core/testing";
import { openPostgres } from "@loredex/postgres";
import { describe, it } from "vitest";
import { postgresPart, serverOfFile } from "./support/server.ts";

describe.skipIf(postgresPart.isMissing)(postgresPart.named("the contract of a storage: PostgreSQL"), () => {
  const server = serverOfFile();
  const newPlace = async () => {
    const schema = server.newSchema();
    return () => openPostgres(server.url(), { schema, connections: 4 });
  };
  for (const { name, run } of storageContract(newPlace, { shared: true })) it(name, run);
});
