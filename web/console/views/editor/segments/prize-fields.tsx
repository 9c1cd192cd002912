import { SimpleGrid } from '@mantine/core'
import { useState } from 'react'
import type { PoolsAnswer } from '../../../../../src/http/answers/code-pools.ts'
import {
  type PrizeKind,
  prizeFields,
  prizeKindNames,
  prizeKinds,
} from '../../../../../src/prize-kinds/prize-kinds.ts'
import type { WheelDocument, WheelSegment } from '../../../../../src/wheel-document/wheel-document.ts'
import { Select } from '../../../parts/inputs.tsx'
import { NumberField } from '../../../parts/number-field.tsx'
import { Term } from '../../../parts/term.tsx'
import { TextField } from '../../../parts/text-field.tsx'
import { useRead } from '../../../session.tsx'
import { t } from '../../../texts.ts'
import { changedSegment } from '../draft/change.ts'
import { errorAt } from '../checks.tsx'
import type { EditorProps } from '../editor-props.ts'
import { KindChange } from './kind-change.tsx'

type Prize = WheelSegment['prize']
const kinds = prizeKindNames.map((kind) => ({ value: kind, label: t(`prize.${kind}`) }))

/** The kind of a prize, and the field that this kind needs. */
export function PrizeFields(props: EditorProps & { index: number; segment: WheelSegment }) {
  const { wheel, segment, index, isReadOnly, errors } = props
  const { prize } = segment
  const [asked, setAsked] = useState<WheelDocument | null>(null)
  const change = (next: WheelDocument) => props.onChange(next, `${segment.id} prize`)
  const setPrize = (next: Prize) => change(changedSegment(wheel, index, { prize: next }))
  const setKind = (kind: PrizeKind) => {
    if (kind === prize.kind) return
    const next = changedSegment(wheel, index, { prize: newPrize(kind) })
    if (segment.translations === undefined) change(next)
    else setAsked(next)
  }
  const at = (name: string) => errorAt(errors, `/segments/${index}/prize/${name}`)
  const { field } = prizeKinds[prize.kind]
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
      <Select
        label={t('field.kind')}
        data={kinds}
        value={prize.kind}
        allowDeselect={false}
        disabled={isReadOnly}
        error={at('kind')}
        onChange={(kind) => setKind(kind as PrizeKind)}
      />
      <KindChange
        next={asked}
        segment={segment}
        onDone={(next) => {
          setAsked(null)
          change(next)
        }}
        onClose={() => setAsked(null)}
      />
      {field === undefined ? null : (
        <PrizeField key={field} {...{ prize, field, isReadOnly }} error={at(field)} onChange={setPrize} />
      )}
    </SimpleGrid>
  )
}

/** A number starts at its minimum, text is typed. */
function newPrize(kind: PrizeKind): Prize {
  const { field } = prizeKinds[kind]
  if (field === undefined || prizeFields[field].input !== 'number') return { kind }
  return { kind, [field]: prizeFields[field].schema.minimum }
}

type FieldProps = {
  prize: Prize
  field: keyof typeof prizeFields
  isReadOnly: boolean
  error: string | null
  onChange: (prize: Prize) => void
}

function PrizeField(props: FieldProps) {
  const { prize, field, error } = props
  const { input, schema } = prizeFields[field]
  if (input === 'pool') return <PoolField {...props} />
  const set = (value: string | number) =>
    props.onChange({ kind: prize.kind, ...(value === '' ? {} : { [field]: value }) })
  if (input === 'number')
    return (
      <NumberField
        label={t(`field.${field}`)}
        value={prize[field] as number | undefined}
        min={schema.minimum}
        max={schema.maximum}
        error={error}
        onChange={set}
      />
    )
  return (
    <TextField
      label={t(`field.${field}`)}
      {...(input === 'url' ? { type: 'url', placeholder: 'https://' } : {})}
      value={String(prize[field] ?? '')}
      lengthMax={schema.maxLength}
      error={error}
      onChange={set}
    />
  )
}

function PoolField({ prize, isReadOnly, error, onChange }: FieldProps) {
  const pools = useRead<PoolsAnswer>(['code-pools'], '/api/v1/code-pools')
  const choices = (pools.data?.pools ?? []).map((pool) => ({
    value: pool.pool,
    label: t('segment.poolLeft', { pool: pool.pool, count: pool.uploaded - pool.taken }),
  }))
  return (
    <Term name="pool">
      <Select
        label={t('field.pool')}
        data={choices}
        value={prize.pool ?? null}
        placeholder={t('segment.choosePool')}
        nothingFoundMessage={t('segment.noPools')}
        disabled={isReadOnly}
        error={error}
        onChange={(pool) => onChange(pool === null ? { kind: prize.kind } : { kind: prize.kind, pool })}
      />
    </Term>
  )
}
