/** Who entered, newest first. */
import { Badge, Paper, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'wouter'
import { type EntryAnswer, type EntryField, labelIn } from '../../../../src/entries/form.ts'
import type { VisitorEntriesAnswer } from '../../../../src/http/answers/entry-list.ts'
import { Pages, usePages } from '../../pages.tsx'
import { useSearchFields } from '../../parts/search-fields.ts'
import { Empty } from '../../parts/states.tsx'
import { DataTable } from '../../parts/table.tsx'
import { useApi, useMay } from '../../session.tsx'
import { formatTime, t } from '../../texts.ts'
import { isFiltered } from '../play-filters.tsx'
import { playerPath } from '../players.tsx'
import { DataButtons } from './data-buttons.tsx'
import { Consents } from './entry-consents.tsx'
import { EntryFilters, entryFilterNames, entryQueryOf } from './entry-filters.tsx'
import { EraseVisitor } from './erase-visitor.tsx'
import { WithdrawConsent, type Withdrawn } from './withdraw-consent.tsx'

type Entry = VisitorEntriesAnswer['entries'][number]

export function EntryList({ campaign, fields }: { campaign: string; fields: readonly EntryField[] }) {
  const { merchant } = useApi()
  const may = useMay()
  const [erased, setErased] = useState<Entry | null>(null)
  const [withdrawn, setWithdrawn] = useState<Withdrawn | null>(null)
  const { fields: chosen, settled, set } = useSearchFields(entryFilterNames)
  const filters = entryQueryOf(settled)
  const path = `/api/v1/campaigns/${campaign}/entries`
  const entries = usePages<VisitorEntriesAnswer>(['campaigns', 'entries', campaign], 'entries', path, filters)
  return (
    <Paper component="section" aria-labelledby="visitors-entries" className="card-flush" p={0}>
      <Title order={2} id="visitors-entries" p="md">
        {t('visitors.entries')}
      </Title>
      <EntryFilters chosen={chosen} onChange={set} />
      <Pages query={entries} empty={<NoEntries isFiltered={isFiltered(filters)} />}>
        {(items) => (
          <DataTable
            label={t('visitors.entries')}
            items={items}
            keyOf={({ id }) => id}
            columns={[
              {
                head: t('visitors.who'),
                cell: (entry) => (
                  <Link className="row-link wrap-anywhere" href={playerPath(merchant, entry.playerId)}>
                    {entry.address ?? t('visitors.deleted')}
                  </Link>
                ),
              },
              {
                head: t('visitors.enteredAt'),
                cell: ({ enteredAt }) => <span className="nowrap">{formatTime(enteredAt)}</span>,
              },
              { head: t('visitors.addressState'), cell: (entry) => <AddressState entry={entry} /> },
              { head: t('visitors.answers'), cell: (entry) => <Answers entry={entry} fields={fields} /> },
              {
                head: t('visitors.consents'),
                cell: (entry) => <Consents entry={entry} onWithdraw={may.edit ? setWithdrawn : null} />,
              },
              ...(may.edit
                ? [
                    {
                      head: t('visitors.data'),
                      cell: (entry: Entry) => <DataButtons entry={entry} onErase={() => setErased(entry)} />,
                    },
                  ]
                : []),
            ]}
          />
        )}
      </Pages>
      <EraseVisitor entry={erased} onClose={() => setErased(null)} />
      <WithdrawConsent withdrawn={withdrawn} onClose={() => setWithdrawn(null)} />
    </Paper>
  )
}

function NoEntries({ isFiltered: isSearch }: { isFiltered: boolean }) {
  return isSearch ? (
    <Empty icon="players" title={t('visitors.noneFound')} text={t('visitors.noneFoundText')} />
  ) : (
    <Empty icon="players" title={t('visitors.noEntries')} text={t('visitors.noEntriesText')} />
  )
}

function AddressState({ entry: { verifiedAt } }: { entry: Entry }) {
  return verifiedAt === null ? (
    <Badge color="gray">{t('visitors.unproven')}</Badge>
  ) : (
    <Badge color="teal">{t('visitors.proven')}</Badge>
  )
}

/** By the labels of today's form; an answer to a field that it no longer has, by the id of the field. */
function Answers({ entry: { answers }, fields }: { entry: Entry; fields: readonly EntryField[] }) {
  const shown = Object.entries(answers ?? {}).flatMap(([id, answer]) => {
    const field = fields.find((one) => one.id === id)
    const text = answerText(answer, field)
    return text === null || field?.kind === 'email' ? [] : [{ id, text, field }]
  })
  if (shown.length === 0) return <Text size="sm">–</Text>
  return (
    <dl className="answers">
      {shown.map(({ id, text, field }) => (
        <div key={id}>
          <dt>{field === undefined ? id : labelIn(field.labels, 'en')}</dt>
          <dd className="wrap-anywhere">{text}</dd>
        </div>
      ))}
    </dl>
  )
}

/** Null for a consent, which has a column of its own. */
function answerText(answer: EntryAnswer, field: EntryField | undefined): string | null {
  if (typeof answer === 'boolean') return null
  if (typeof answer === 'object') return `${answer.year}-${String(answer.month).padStart(2, '0')}`
  const option = field?.options?.find(({ id }) => id === answer)
  return option === undefined ? answer : labelIn(option.labels, 'en')
}
