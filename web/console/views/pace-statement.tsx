/** The statement about a run of a paced prize, made to be printed on one page. */
import { Button, Group, Paper, Title } from '@mantine/core'
import type { CertificateAnswer } from '../../../src/http/answers/paces.ts'
import { Loaded } from '../parts/states.tsx'
import { useRead } from '../session.tsx'
import { formatMoney, formatNumber, formatZoned, t } from '../texts.ts'
import './pace-statement.css'
import { useSearchParams } from '../parts/search-params.ts'

export function PaceStatement({ wheel, prizeId }: { wheel: string; prizeId: string }) {
  const [params] = useSearchParams()
  const run = params.get('run')
  const path = `/api/v1/wheels/${wheel}/paces/${encodeURIComponent(prizeId)}/certificate`
  const query = run === null ? '' : `?run=${encodeURIComponent(run)}`
  const statement = useRead<CertificateAnswer>(['statement', wheel, prizeId, run], `${path}${query}`)
  return (
    <Loaded query={statement}>
      {(stated) => (
        <>
          <Group justify="flex-end" mb="sm" className="statement-actions">
            <Button onClick={() => print()}>{t('statement.print')}</Button>
          </Group>
          <Paper component="article" className="statement">
            <Statement stated={stated} />
          </Paper>
        </>
      )}
    </Loaded>
  )
}

function Statement({ stated }: { stated: CertificateAnswer }) {
  const { checks, seal } = stated
  const later = t('statement.later')
  return (
    <>
      <Title order={1}>{t(stated.isBudget ? 'statement.ofBudget' : 'statement.ofPrize')}</Title>
      <Facts facts={factsOf(stated)} />
      {stated.sentences.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
      <Title order={2}>{t('statement.checks')}</Title>
      {checks.length === 0 ? (
        <p>{t('statement.notEnded')}</p>
      ) : (
        <ul className="statement-checks">
          {checks.map(({ says, holds }) => (
            <li key={says}>
              <strong>{t(holds ? 'statement.true' : 'statement.false')}</strong> {says}
            </li>
          ))}
        </ul>
      )}
      <Title order={2}>{t('statement.verify')}</Title>
      <p>{t('statement.verifyText')}</p>
      <pre>{stated.commands.join('\n')}</pre>
      <Facts
        facts={[
          [t('statement.commitment'), <code key="commitment">{stated.commitment}</code>],
          [t('statement.key'), stated.key === null ? later : <code key="key">{stated.key}</code>],
          [t('statement.head'), stated.head === null ? later : <code key="head">{stated.head}</code>],
          [t('statement.version'), <code key="version">{stated.versionHash}</code>],
          [
            t('statement.seal'),
            seal === null ? (
              t('statement.noSeal')
            ) : (
              <span key="seal">
                {t('statement.sealText', { number: seal.number, time: timeOf(seal.sealedAt) })}
                <br />
                <code>{seal.hash}</code>
              </span>
            ),
          ],
        ]}
      />
    </>
  )
}

type Fact = readonly [name: string, value: React.ReactNode]

function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className="statement-facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

function factsOf(stated: CertificateAnswer): Fact[] {
  const { isBudget, label, prizeId, endedAt } = stated
  const amount = (units: number | null) =>
    units === null ? t('statement.later') : isBudget ? formatMoney(units / 100) : formatNumber(units)
  return [
    [t('statement.merchant'), `${stated.merchantName} (${stated.merchant})`],
    [t('statement.wheel'), stated.wheel],
    ...(isBudget ? [] : [[t('statement.prize'), `${label ?? prizeId} (${prizeId})`] as const]),
    [t('statement.run'), `${stated.run}, ${t(`statement.${stated.state}`)}`],
    [t('statement.published'), timeOf(stated.publishedAt)],
    [t('statement.times'), `${timeOf(stated.startsAt)} – ${timeOf(stated.endsAt)}`],
    ...(endedAt === null ? [] : [[t('statement.endedEarly'), timeOf(endedAt)] as const]),
    ...(stated.countedUntil === null
      ? []
      : [[t('statement.countedUntil'), timeOf(stated.countedUntil)] as const]),
    [
      t('statement.counts'),
      t('statement.countsText', {
        units: amount(stated.units),
        released: amount(stated.released),
        given: amount(stated.awards),
        returned: amount(stated.returned),
        left: amount(stated.left),
      }),
    ],
    [t('statement.stated'), timeOf(stated.statedAt)],
  ]
}

/** Readers of a printed page are anywhere, so times are in UTC. */
function timeOf(iso: string): string {
  return `${formatZoned(iso, 'UTC')} UTC`
}
