import type { EventType, WheelhouseEvent } from '../events.ts'
import { sampleData } from '../generated/sample-data.ts'
import { type Command, jsonOption, UsageError } from './command.ts'
import { eventTypes } from './event-options.ts'
import { describe, forward, forwardOptions, isDelivered, receiverIn, secretIn } from './forward.ts'
import { note, print } from './output.ts'

export const trigger: Command = {
  usage: 'trigger <type> [--forward-to <url>] [--data <json>] [--secret <whsec_…>] [--json]',
  summary: 'Send a sample event to a receiver on this machine, or print it.',
  details: `A sample has the number (seq) 0 and the merchant "test". --data replaces fields, as in --data '{"playerId":"bob"}'.
It is signed like the events of listen. No server is needed, and nothing is recorded.
The types are ${eventTypes.join(', ')}.`,
  options: { ...jsonOption, ...forwardOptions, data: { type: 'string' } },
  async run({ names: [type, ...rest], options }) {
    if (type === undefined || rest.length > 0) throw new UsageError('Name a type of event.')
    const event = sampleEvent(type, fieldsIn(options.data))
    if (options['forward-to'] === undefined) return print(event, true, '')
    const url = receiverIn(options)
    const secret = await secretIn(options)
    const forwarded = await forward(event, { url, secret })
    note(`Signed with the secret ${secret}`)
    print({ event, ...forwarded }, options.json, `${type}  ${describe(forwarded)}`)
    return isDelivered(forwarded) ? 0 : 1
  },
}

function sampleEvent(type: string, fields: object): WheelhouseEvent {
  if (!(eventTypes as string[]).includes(type))
    throw new UsageError(`There is no type "${type}". The types are ${eventTypes.join(', ')}.`)
  const data = { ...sampleData[type as EventType], ...fields }
  const id = `evt_${crypto.randomUUID().replaceAll('-', '')}_0`
  return { id, seq: 0, type, at: new Date().toISOString(), merchant: 'test', data } as WheelhouseEvent
}

function fieldsIn(json: string | boolean | undefined): object {
  if (json === undefined) return {}
  try {
    const fields: unknown = JSON.parse(String(json))
    if (typeof fields === 'object' && fields !== null && !Array.isArray(fields)) return fields
  } catch {
    // Said below.
  }
  throw new UsageError('--data is not a JSON object.')
}
