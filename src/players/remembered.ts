/**
 * Remembers names, such as those of players that exist. A table of fixed size, in which a newcomer drops who was in its
 * place. Names whose place and mark are the same look alike, by chance or because somebody chose them so: whoever asks must
 * also look at what the database says.
 */
export class Remembered {
  readonly #marks: Uint32Array

  constructor(placeCount: number) {
    this.#marks = new Uint32Array(placeCount)
  }

  has(name: string): boolean {
    const { place, mark } = this.#find(name)
    return this.#marks[place] === mark
  }

  /** Whether it was new. */
  add(name: string): boolean {
    const { place, mark } = this.#find(name)
    const isNew = this.#marks[place] !== mark
    this.#marks[place] = mark
    return isNew
  }

  /** Two quick hashes: one for the place, one for what stands there. Zero stands for nobody. */
  #find(name: string): { place: number; mark: number } {
    let one = 0x811c9dc5
    let other = 0x9e3779b9
    for (let index = 0; index < name.length; index++) {
      const unit = name.charCodeAt(index)
      one = Math.imul(one ^ unit, 0x01000193)
      other = Math.imul(other ^ unit, 0x85ebca6b) ^ (other >>> 13)
    }
    return { place: (one >>> 0) % this.#marks.length, mark: other >>> 0 || 1 }
  }
}
