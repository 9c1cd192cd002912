import { Alert, List, Text } from '@mantine/core'
import type { WheelDocument } from '../../../../src/wheels/wheel-document.ts'
import { Icon } from '../../parts/icons.tsx'
import { Failure } from '../../parts/states.tsx'
import { hasText, t } from '../../texts.ts'
import type { FieldError } from './saving.ts'

/** What the server would refuse to publish, as it stands this moment. */
export function Checks(props: {
  errors: readonly FieldError[]
  wheel: WheelDocument
  isLoading: boolean
  error: unknown
}) {
  if (props.error !== null && props.errors.length === 0) return <Failure error={props.error} />
  if (props.errors.length === 0) {
    if (props.isLoading) return null
    return (
      <Alert color="teal" variant="light" icon={<Icon name="check" />} p="sm" role="status">
        {t('checks.fine')}
      </Alert>
    )
  }
  return (
    <Alert
      color="orange"
      variant="light"
      icon={<Icon name="warning" />}
      title={t('checks.title', { count: props.errors.length })}
      role="status"
    >
      <List size="sm" spacing={4}>
        {props.errors.map((error) => (
          <List.Item key={`${error.pointer} ${error.detail}`}>
            <Text component="span" size="sm" fw={600}>
              {placeOf(error.pointer, props.wheel)}
            </Text>{' '}
            {error.detail}
          </List.Item>
        ))}
      </List>
    </Alert>
  )
}

/** A pointer in the words of the editor: `/segments/2/prize/pool` is "Voucher, pool". */
function placeOf(pointer: string, wheel: WheelDocument): string {
  const [, area, index, ...rest] = pointer.split('/')
  const nameOf = (field: string) => (hasText(`field.${field}`) ? t(`field.${field}` as 'field.label') : field)
  if (area !== 'segments' || index === undefined)
    return [area, index, ...rest]
      .filter((part) => part !== undefined && part !== '')
      .map((part) => nameOf(String(part)))
      .join(', ')
  const segment = wheel.segments[Number(index)]
  const label =
    segment === undefined || segment.label === ''
      ? t('segment.number', { number: Number(index) + 1 })
      : segment.label
  return [label, ...rest.map(nameOf)].join(', ')
}

/** What is wrong with one field. */
export function errorAt(errors: readonly FieldError[], pointer: string): string | null {
  return errors.find((error) => error.pointer === pointer)?.detail ?? null
}
