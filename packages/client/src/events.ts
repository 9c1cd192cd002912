import type { EventData } from './generated/event-data.ts'

export type EventType = keyof EventData

/**
 * Something that happened, told apart by `type`. A newer server may send types and fields that this version does not
 * list: pass over them.
 */
export type WheelhouseEvent<Type extends EventType = EventType> = {
  [T in Type]: {
    /** The permanent id of the event. A receiver that gets an event twice recognises it by this id. */
    id: string
    /** Its number among the events of the merchant: 1, 2, 3 … without a gap. 0 for a test event. */
    seq: number
    type: T
    /** When it happened, in ISO 8601. */
    at: string
    /** The id of the merchant. */
    merchant: string
    data: EventData[T]
  }
}[Type]
