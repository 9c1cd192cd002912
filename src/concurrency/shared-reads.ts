/**
 * Lets callers who ask for the same thing at about the same time share one read. It begins after each of them has
 * asked, so nobody gets anything older than without it.
 */
export class SharedReads {
  readonly #running = new Map<string, Promise<unknown>>()
  readonly #next = new Map<string, Promise<unknown>>()

  /** `read` reads the same for the same name. Callers who share a read share its failure. */
  async read<T>(name: string, read: () => Promise<T>): Promise<T> {
    const next = this.#next.get(name)
    if (next !== undefined) return next as Promise<T>
    const running = this.#running.get(name)
    if (running === undefined) return this.#begin(name, read)
    const begin = () => {
      this.#next.delete(name)
      return this.#begin(name, read)
    }
    const following = running.then(begin, begin)
    this.#next.set(name, following)
    return following
  }

  #begin<T>(name: string, read: () => Promise<T>): Promise<T> {
    const running = read().finally(() => {
      if (this.#running.get(name) === running) this.#running.delete(name)
    })
    this.#running.set(name, running)
    return running
  }
}
