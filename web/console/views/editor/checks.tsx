import { Alert, List, Text } from '@mantine/core'
import type { WheelDocument } from '../../../../src/wheel-document/wheel-document.ts'
import { Icon } from '../../parts/icons.tsx'
import { Failure } from '../../parts/states.tsx'
import { asSentence, plainDetail } from '../../parts/problem-words.ts'
import { hasText, t } from '../../texts.ts'
import type { FieldError } from './draft/saving.ts'
import { wheelWarnings } from './wheel-warnings.ts'

/** The problems for which the server would refuse to publish the draft. */
export function Checks(props: {
  errors: readonly FieldError[]
  wheel: WheelDocument
  isLoading: boolean
  error: unknown
  /** The published version that the draft equals, if it does. */
  unchangedSince?: number | null
}) {
  if (props.error !== null && props.errors.length === 0) return <Failure error={props.error} />
  if (props.errors.length === 0)
    return props.isLoading ? null : <Publishable wheel={props.wheel} since={props.unchangedSince ?? null} />
  return (
    <Alert
      color="orange"
      variant="light"
      icon={<Icon name="warning" />}
      title={t('checks.title', { count: props.errors.length })}
      role="status"
    >
      <ProblemList errors={props.errors} wheel={props.wheel} />
    </Alert>
  )
}

/** A draft without problems: its warnings, and the published version that it equals, if it does. */
function Publishable({ wheel, since }: { wheel: WheelDocument; since: number | null }) {
  const warnings = wheelWarnings(wheel, Date.now())
  const fine = since === null ? t('checks.fine') : t('checks.unchanged', { version: since })
  return (
    <>
      {warnings.length > 0 && since === null ? null : (
        <Alert
          color={since === null ? 'teal' : 'gray'}
          icon={<Icon name={since === null ? 'check' : 'info'} />}
          variant="light"
          p="sm"
          role="status"
        >
          {fine}
        </Alert>
      )}
      {warnings.length === 0 ? null : (
        <Warnings warnings={warnings} title={t(since === null ? 'checks.warnings' : 'checks.live')} />
      )}
    </>
  )
}

/** What does not prevent publication. */
export function Warnings({ warnings, title }: { warnings: readonly string[]; title: string }) {
  return (
    <Alert color="yellow" variant="light" icon={<Icon name="warning" />} title={title} role="status">
      <List size="sm" spacing={4}>
        {warnings.map((warning) => (
          <List.Item key={warning}>{warning}</List.Item>
        ))}
      </List>
    </Alert>
  )
}

export function ProblemList({ errors, wheel }: { errors: readonly FieldError[]; wheel: WheelDocument }) {
  return (
    <List size="sm" spacing={4}>
      {errors.map((error) => (
        <List.Item key={`${error.pointer} ${error.detail}`}>
          <Text component="span" size="sm" fw={600}>
            {placeOf(error.pointer, wheel)}
          </Text>{' '}
          {plainDetail(error.detail)}
        </List.Item>
      ))}
    </List>
  )
}

/** A JSON pointer with the editor's field names: `/segments/2/prize/pool` is "Voucher, pool". */
function placeOf(pointer: string, wheel: WheelDocument): string {
  const [area = '', index, ...rest] = pointer.split('/').slice(1)
  if (area !== 'segments' || index === undefined)
    return namesOf([area, ...(index === undefined ? [] : [index]), ...rest]).join(', ')
  const segment = wheel.segments[Number(index)]
  const label =
    segment === undefined || segment.label === ''
      ? t('segment.number', { number: Number(index) + 1 })
      : segment.label
  return [label, ...namesOf(rest)].join(', ')
}

/** `pace/periods/0/from` is "period 1, From". */
function namesOf(parts: readonly string[]): string[] {
  return parts.flatMap((part, at) => {
    if (parts[at - 1] === 'periods') return t('problem.period', { number: Number(part) + 1 })
    if (part === '' || (parts[at + 1] !== undefined && ['pace', 'periods'].includes(part))) return []
    return hasText(`field.${part}`) ? t(`field.${part}` as 'field.label') : part
  })
}

/** The problem with one field. */
export function errorAt(errors: readonly FieldError[], pointer: string): string | null {
  const found = errors.find((error) => error.pointer === pointer)
  return found === undefined ? null : asSentence(plainDetail(found.detail))
}
