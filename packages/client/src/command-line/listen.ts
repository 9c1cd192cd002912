import type { WheelhouseEvent } from '../events.ts'
import { type Command, connect, jsonOption, serverOption, untilInterrupted, UsageError } from './command.ts'
import { eventOptions, positionIn, typesIn } from './event-options.ts'
import { describe, forward, type Forwarded, forwardOptions, receiverIn, secretIn } from './forward.ts'
import { note, print } from './output.ts'

export const listen: Command = {
  usage:
    'listen --forward-to <url> [--types <list>] [--after <number>] [--secret <whsec_…>] [--server <url>] [--json]',
  summary: 'Send events to a receiver on this machine as they happen, signed like webhooks.',
  details: `Each event is sent once and in order, whatever the receiver answers. To send events again, start with --after and
the number of the event before. The secret is printed at the start. Without --secret or
WHEELHOUSE_WEBHOOK_SECRET it is derived from the token, and so the same in every run.`,
  options: { ...serverOption, ...jsonOption, ...eventOptions, ...forwardOptions },
  async run({ names, options }) {
    if (names.length > 0) throw new UsageError('Give the address of your receiver with --forward-to.')
    const url = receiverIn(options)
    const types = typesIn(options)
    const secret = await secretIn(options)
    const signal = untilInterrupted()
    const wheelhouse = connect(options)
    const after = await positionIn(options, wheelhouse, 0)
    note(`Sending events after number ${after} to ${url}. Ctrl-C ends it.\nSigned with the secret ${secret}`)
    for await (const event of wheelhouse.events({ after, ...types, signal })) {
      const forwarded = await forward(event, { url, secret, signal })
      if (!signal.aborted) show(event, forwarded, options.json)
    }
  },
}

function show({ seq, id, type }: WheelhouseEvent, forwarded: Forwarded, isJson: unknown): void {
  const time = new Date().toTimeString().slice(0, 8)
  print({ seq, id, type, ...forwarded }, isJson, `${time}  ${seq}  ${type}  ${describe(forwarded)}`)
}
