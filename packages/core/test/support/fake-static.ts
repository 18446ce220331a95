import type { StaticEmbedder } from "../../src/embedding/embedder.ts";
import { FakeEmbedder } from "./fake-embedder.ts";

/** A static embedder of the fake embedder, which has learnt all that it knows. */
export class FakeStatic implements StaticEmbedder {
  readonly id = "fake-static";
  readonly version = "1";
  readonly space: StaticEmbedder["space"];
  readonly weight = 0.3;
  readonly mixedWeight = 0.4;
  /** Texts embedded so far, in order. */
  readonly texts: string[] = [];
  readonly #teacher: FakeEmbedder;

  constructor(teacherVersion = "1") {
    this.#teacher = new FakeEmbedder({ version: teacherVersion });
    this.space = { id: this.#teacher.id, version: teacherVersion, dimensions: this.#teacher.dimensions };
  }

  calibrate(cosine: number): number {
    return Math.min(1, Math.max(0, cosine));
  }

  embed(text: string): Float32Array {
    this.texts.push(text);
    return this.#teacher.vectorOf(text);
  }
}
