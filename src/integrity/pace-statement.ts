import type { Merchant } from '../merchants/merchants.ts'
import { type PaceCertificate, paceCertificate } from '../pacing/pace-report.ts'
import { readNewestSeals } from './ledger-seals.ts'

type Sources = Parameters<typeof paceCertificate>[0] & { config: { publicUrl: string } }
type Wheel = Parameters<typeof paceCertificate>[1]

/** The statement about a run, as the API and the console show it. */
export async function paceStatement(
  sources: Sources,
  { merchant, wheel }: { merchant: Merchant; wheel: Wheel },
  which: { prizeId: string; run: number | undefined },
) {
  const certificate = await paceCertificate(sources, wheel, which)
  const [seal] = await readNewestSeals(sources.db, [wheel.merchantId])
  return {
    merchant: merchant.slug,
    merchantName: merchant.name,
    ...certificate,
    statedAt: sources.now.toISOString(),
    seal:
      seal === undefined
        ? null
        : { number: seal.sealNo, sealedAt: seal.sealedAt.toISOString(), hash: seal.hash },
    sentences: sentencesOf(certificate),
    commands: [
      `wheelhouse plays export ${merchant.slug} > plays.ndjson`,
      'wheelhouse verify plays.ndjson',
      `curl ${sources.config.publicUrl}/api/v1/game/runs/${certificate.commitment}`,
      'wheelhouse audit',
    ],
  }
}

/** What the CAP code of the UK asks for, in rules 8.24 (prize draws) and 8.25 (instant wins). */
function sentencesOf(certificate: PaceCertificate): string[] {
  return [
    'Each result is drawn at the moment of the play, by a computer process whose results can be verified: HMAC-SHA256 over a secret number of the server, which is fixed before the play, and a random number of the player (CAP code 8.24). The player sees the result at once.',
    availability(certificate),
    counts(certificate),
    'This statement was made by the program that ran the promotion. Where a rule asks for an independent audit, as CAP code 8.25 does, give this page and the export to the auditor. The specification in docs/fairness.md is enough to check both with another program.',
  ]
}

function availability(certificate: PaceCertificate): string {
  const { state, units, released, endedAt, isBudget } = certificate
  const amount = amountOf(isBudget)
  const how = 'at random moments that were fixed before the run and kept secret during it (CAP code 8.25).'
  if (state === 'running') return `${amount(units)} are made available during the run, ${how}`
  if (released === units) return `All ${amount(units)} were made available, ${how}`
  return `Another version of the wheel ended the run early, at ${endedAt}. Until then ${amount(released ?? 0)} of ${amount(units)} were made available, ${how}`
}

function counts({ awards, returned, left, isBudget, countedUntil }: PaceCertificate): string {
  const amount = amountOf(isBudget)
  const until =
    countedUntil === null ? '' : `Counted until ${countedUntil}, by whole days while the run lasts: `
  return `${until}${amount(awards)} were given. ${amount(returned)} came back from cancelled prizes and could be won again. ${amount(left)} were not given.`
}

/** A budget counts cents. */
function amountOf(isBudget: boolean): (units: number) => string {
  return (units) => (isBudget ? (units / 100).toFixed(2) : `${units} ${units === 1 ? 'unit' : 'units'}`)
}
