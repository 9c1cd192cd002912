import type { Wheelhouse } from '../client.ts'
import {
  type Command,
  connect,
  jsonOption,
  type Options,
  serverOption,
  UsageError,
  wholeNumber,
} from './command.ts'
import { print, table } from './output.ts'

type Prize = Awaited<ReturnType<Wheelhouse['prizes']['read']>>
type State = Prize['state']

const shownByDefault = 20
const states: readonly string[] = [
  'held',
  'won',
  'claimed',
  'redeemed',
  'cancelled',
  'expired',
  'refused',
] satisfies State[]

export const prizes: Command = {
  usage:
    'prizes [claim|redeem|cancel <play>] [--player <player>] [--state <state>] [--limit <n>] [--server <url>] [--json]',
  summary: 'List prizes that were won, newest first; or settle one, by the id of its play.',
  details: `The states are ${states.join(', ')}. The list has ${shownByDefault} prizes unless --limit says otherwise.`,
  options: {
    ...serverOption,
    ...jsonOption,
    player: { type: 'string' },
    state: { type: 'string' },
    limit: { type: 'string' },
  },
  async run({ names: [verb, playId, ...rest], options }) {
    if (rest.length > 0 || (verb !== undefined && playId === undefined))
      throw new UsageError('To settle a prize, give the id of its play.')
    const shown = verb === undefined ? await list(options) : [await settle(verb, playId as string, options)]
    const rows = shown.map((prize) => [
      prize.playId,
      prize.playerId,
      prize.label,
      prize.code ?? prize.number ?? '-',
      prize.state,
    ])
    const text =
      rows.length === 0 ? 'There are none.' : table([['play', 'player', 'prize', 'code', 'state'], ...rows])
    print(shown, options.json, text)
  },
}

async function settle(verb: string, playId: string, options: Options): Promise<Prize> {
  if (verb !== 'claim' && verb !== 'redeem' && verb !== 'cancel')
    throw new UsageError(`A prize can be claimed, redeemed or cancelled, not "${verb}".`)
  return connect(options).prizes[verb](playId)
}

/** A page may be short and still have a next one. */
async function list(options: Options): Promise<Prize[]> {
  const limit = options.limit === undefined ? shownByDefault : wholeNumber(options.limit, '--limit')
  if (options.state !== undefined && !states.includes(String(options.state)))
    throw new UsageError(`There is no state "${options.state}". The states are ${states.join(', ')}.`)
  const filters = {
    ...(options.player === undefined ? {} : { playerId: String(options.player) }),
    ...(options.state === undefined ? {} : { state: options.state as State }),
  }
  const wheelhouse = connect(options)
  const found: Prize[] = []
  for (let cursor: string | null | undefined; found.length < limit && cursor !== null;) {
    const page = await wheelhouse.prizes.list({ ...filters, ...(cursor === undefined ? {} : { cursor }) })
    found.push(...page.prizes)
    cursor = page.next
  }
  return found.slice(0, limit)
}
