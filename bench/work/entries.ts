import { merchantRequest, emptyTally, expectSuccess, type Tally, type Work } from './work.ts'

/** The form of a campaign, as its public page shows it. */
export type EntriesSpec = {
  kind: 'entries'
  /** `/api/v1/entry/<merchant>/<campaign>`. */
  path: string
  formVersion: number
  terms: string
}

/** Visitors who enter, each with an address of its own, from many networks. */
export function entriesWork({ path, formVersion, terms }: EntriesSpec): Work {
  const tally: Tally = { ...emptyTally }
  let entries = 0
  return {
    begin: () => undefined,
    next() {
      const number = entries++
      const answers = { email: `visitor-${number}@shop.example`, name: 'Ann Other', news: true }
      const body = JSON.stringify({ formVersion, terms, language: 'en', answers })
      const network = `10.${(number >> 8) & 255}.${number & 255}.1`
      const headers = `Idempotency-Key: entry-${number}\r\nX-Forwarded-For: ${network}\r\n`
      return `POST ${path}/entries HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n${headers}Content-Length: ${body.length}\r\n\r\n${body}`
    },
    take(_slot, answer) {
      expectSuccess(answer)
      if (!answer.body.startsWith('{"outcome":"entered"')) throw new Error(answer.body)
      tally.entries++
    },
    refused: () => undefined,
    tally: () => tally,
  }
}

export type NewcomersSpec = { kind: 'newcomers'; token: string }

/** Grants to players who did not exist before. */
export function newcomersWork({ token }: NewcomersSpec): Work {
  const tally: Tally = { ...emptyTally }
  let players = 0
  return {
    begin: () => undefined,
    next() {
      const number = players++
      const body = `{"playerId":"newcomer-${number}","spinNumber":1}`
      return merchantRequest('/api/player/increaseSpin', token, `Idempotency-Key: order-${number}\r\n`, body)
    },
    take(_slot, answer) {
      expectSuccess(answer)
      if (!answer.body.endsWith(',"spinCount":1}')) throw new Error(answer.body)
      tally.grants++
      tally.spins++
    },
    refused: () => undefined,
    tally: () => tally,
  }
}
