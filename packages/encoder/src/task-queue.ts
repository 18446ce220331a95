import type { Task } from "./task.ts";

/** Tasks that wait for a worker, by kind, in order of arrival. */
export class TaskQueue {
  readonly #questions: Task[] = [];
  readonly #passages: Task[] = [];

  get questions(): number {
    return this.#questions.length;
  }

  get passages(): number {
    return this.#passages.length;
  }

  add(task: Task): void {
    this.#of(task).push(task);
  }

  /** Puts a task back at the head of its kind: it has waited already. */
  putBack(task: Task): void {
    this.#of(task).unshift(task);
  }

  /** Removes a task at any position, if it is queued. */
  remove(task: Task): void {
    const tasks = this.#of(task);
    const at = tasks.indexOf(task);
    if (at >= 0) tasks.splice(at, 1);
  }

  nextQuestion(): Task | undefined {
    return this.#questions.shift();
  }

  nextPassage(): Task | undefined {
    return this.#passages.shift();
  }

  /** Rejects all waiting tasks. */
  clear(error: Error): void {
    for (const task of [...this.#questions.splice(0), ...this.#passages.splice(0)]) task.reject(error);
  }

  #of(task: Task): Task[] {
    return task.kind === "question" ? this.#questions : this.#passages;
  }
}
