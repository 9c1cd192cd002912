import { type Command, connect, jsonOption, serverOption, UsageError, wholeNumber } from './command.ts'
import { print, table } from './output.ts'

export const grant: Command = {
  usage: 'grant <player> <spins> [--key <key>] [--server <url>] [--json]',
  summary: 'Give a player spins.',
  details: 'A second grant with the same --key, such as an order number, adds nothing.',
  options: { ...serverOption, ...jsonOption, key: { type: 'string' } },
  async run({ names: [playerId, spins, ...rest], options }) {
    if (playerId === undefined || spins === undefined || rest.length > 0)
      throw new UsageError('Name a player and a number of spins.')
    const key = typeof options.key === 'string' ? { idempotencyKey: options.key } : {}
    const spinNumber = wholeNumber(spins, 'The number of spins')
    const granted = await connect(options).grant({ playerId, spinNumber, ...key })
    const balance = granted.spinCount === 1 ? '1 spin' : `${granted.spinCount} spins`
    const before = granted.replayed ? ' This key was used before: nothing was added.' : ''
    print(granted, options.json, `${playerId} has ${balance}.${before}`)
  },
}

export const link: Command = {
  usage: 'link <player> [--initial-spin <spins>] [--server <url>] [--json]',
  summary: 'Make a game link.',
  details: '--initial-spin welcomes a newcomer: it is granted once per player.',
  options: { ...serverOption, ...jsonOption, 'initial-spin': { type: 'string' } },
  async run({ names: [playerId, ...rest], options }) {
    if (playerId === undefined || rest.length > 0) throw new UsageError('Name a player.')
    const gift = options['initial-spin']
    const initial = gift === undefined ? {} : { initialSpin: wholeNumber(gift, '--initial-spin') }
    const made = await connect(options).link({ playerId, ...initial })
    print(made, options.json, made.link)
  },
}

export const player: Command = {
  usage: 'player <player> [--server <url>] [--json]',
  summary: "Show a player's balance and state.",
  options: { ...serverOption, ...jsonOption },
  async run({ names: [playerId, ...rest], options }) {
    if (playerId === undefined || rest.length > 0) throw new UsageError('Name a player.')
    const found = await connect(options).players.read(playerId)
    const rows = [
      ['player', found.playerId],
      ['spins', String(found.spinCount)],
      ['plays', String(found.playCount)],
      ['state', found.blockedAt === null ? 'active' : `blocked since ${found.blockedAt}`],
      ['known since', found.createdAt],
    ]
    print(found, options.json, table(rows))
  },
}
