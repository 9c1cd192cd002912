/**
 * Remembers names that were seen, such as those of existing players, in a table of fixed size. A name has a row of four
 * cells, with the newest first; one more name pushes the oldest out. Two names with the same row and fingerprint can't
 * be told apart, by chance or because somebody chose them so. A caller must therefore also check the database.
 */
export class SeenNames {
  readonly #fingerprints: Uint32Array
  readonly #rowCount: number

  constructor(cellCount: number) {
    this.#fingerprints = new Uint32Array(cellCount)
    this.#rowCount = Math.floor(cellCount / rowLength)
  }

  has(name: string): boolean {
    const { row, fingerprint } = this.#find(name)
    return this.#placeIn(row, fingerprint) >= 0
  }

  /** Returns whether the name was new. */
  add(name: string): boolean {
    const { row, fingerprint } = this.#find(name)
    const place = this.#placeIn(row, fingerprint)
    for (let last = place < 0 ? rowLength - 1 : place; last > 0; last--)
      this.#fingerprints[row + last] = this.#fingerprints[row + last - 1] as number
    this.#fingerprints[row] = fingerprint
    return place < 0
  }

  #placeIn(row: number, fingerprint: number): number {
    for (let place = 0; place < rowLength; place++)
      if (this.#fingerprints[row + place] === fingerprint) return place
    return -1
  }

  /** Two fast hashes: one for the row, one for the fingerprint stored in it. Zero means empty. */
  #find(name: string): { row: number; fingerprint: number } {
    let one = 0x811c9dc5
    let other = 0x9e3779b9
    for (let index = 0; index < name.length; index++) {
      const unit = name.charCodeAt(index)
      one = Math.imul(one ^ unit, 0x01000193)
      other = Math.imul(other ^ unit, 0x85ebca6b) ^ (other >>> 13)
    }
    return { row: ((one >>> 0) % this.#rowCount) * rowLength, fingerprint: other >>> 0 || 1 }
  }
}

const rowLength = 4
