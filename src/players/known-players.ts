/**
 * Remembers players that exist, which hardly any player ceases to do (only if its name is erased), so that a batch need not ask the database to create
 * them. A table of fixed size, in which a newcomer drops who was in its place. Players whose place and mark are the same
 * look alike, by chance or because somebody chose their ids so: whoever asks must also look at what the database says.
 */
export class KnownPlayers {
  readonly #marks: Uint32Array

  constructor(placeCount: number) {
    this.#marks = new Uint32Array(placeCount)
  }

  has(player: PlayerName): boolean {
    const { place, mark } = this.#find(player)
    return this.#marks[place] === mark
  }

  add(player: PlayerName): void {
    const { place, mark } = this.#find(player)
    this.#marks[place] = mark
  }

  /** Two quick hashes: one for the place, one for what stands there. Zero stands for nobody. */
  #find({ merchantId, playerId }: PlayerName): { place: number; mark: number } {
    let one = 0x811c9dc5 ^ merchantId
    let other = 0x9e3779b9 ^ merchantId
    for (let index = 0; index < playerId.length; index++) {
      const unit = playerId.charCodeAt(index)
      one = Math.imul(one ^ unit, 0x01000193)
      other = Math.imul(other ^ unit, 0x85ebca6b) ^ (other >>> 13)
    }
    return { place: (one >>> 0) % this.#marks.length, mark: other >>> 0 || 1 }
  }
}

type PlayerName = { merchantId: number; playerId: string }
