/**
 * Remembers names that were seen, such as those of existing players, in a table of fixed size: a new name replaces
 * the one in its cell. Two names with the same cell and fingerprint can't be told apart, by chance or because
 * somebody chose them so. A caller must therefore also check the database.
 */
export class SeenNames {
  readonly #fingerprints: Uint32Array

  constructor(cellCount: number) {
    this.#fingerprints = new Uint32Array(cellCount)
  }

  has(name: string): boolean {
    const { cell, fingerprint } = this.#find(name)
    return this.#fingerprints[cell] === fingerprint
  }

  /** Returns whether the name was new. */
  add(name: string): boolean {
    const { cell, fingerprint } = this.#find(name)
    const isNew = this.#fingerprints[cell] !== fingerprint
    this.#fingerprints[cell] = fingerprint
    return isNew
  }

  /** Two fast hashes: one for the cell, one for the fingerprint stored in it. Zero means empty. */
  #find(name: string): { cell: number; fingerprint: number } {
    let one = 0x811c9dc5
    let other = 0x9e3779b9
    for (let index = 0; index < name.length; index++) {
      const unit = name.charCodeAt(index)
      one = Math.imul(one ^ unit, 0x01000193)
      other = Math.imul(other ^ unit, 0x85ebca6b) ^ (other >>> 13)
    }
    return { cell: (one >>> 0) % this.#fingerprints.length, fingerprint: other >>> 0 || 1 }
  }
}
