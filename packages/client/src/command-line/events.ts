import type { WheelhouseEvent } from '../events.ts'
import { type Command, connect, jsonOption, serverOption, untilInterrupted, UsageError } from './command.ts'
import { eventOptions, positionIn, typesIn } from './event-options.ts'
import { print } from './output.ts'

const shownByDefault = 20

export const events: Command = {
  usage: 'events [--types <list>] [--after <number>] [--follow] [--server <url>] [--json]',
  summary: 'Show the newest events, one per line.',
  details: `It shows the last ${shownByDefault}, or with --after all events after that number; 0 means all that are kept.
With --follow it goes on with new events until Ctrl-C.`,
  options: { ...serverOption, ...jsonOption, ...eventOptions, follow: { type: 'boolean' } },
  async run({ names, options }) {
    if (names.length > 0) throw new UsageError('Give types with --types.')
    const types = typesIn(options)
    const signal = untilInterrupted()
    const show = (event: WheelhouseEvent) => {
      const { seq, at, type, data } = event
      print(event, options.json, `${seq}  ${at}  ${type}  ${JSON.stringify(data)}`)
    }
    const wheelhouse = connect(options)
    let after = await positionIn(options, wheelhouse, shownByDefault)
    for (let isMore = true; isMore && !signal.aborted;) {
      const page = await wheelhouse.request('GET', '/api/v1/events', { query: { after, ...types } })
      for (const event of page.events) show(event)
      after = page.next
      isMore = page.next < page.last
    }
    if (options.follow !== true) return
    for await (const event of wheelhouse.events({ after, ...types, signal })) show(event)
  },
}
