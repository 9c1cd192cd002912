/** Says how many translations are outdated, and removes or confirms them together. */
import { Alert, Button, Group, List, Text } from '@mantine/core'
import {
  confirmTranslations,
  isSamePlace,
  outdatedTranslations,
  removeTranslations,
} from '../../../../../src/wheel-document/translated-from.ts'
import type { WheelDocument } from '../../../../../src/wheel-document/wheel-document.ts'
import { Icon } from '../../../parts/icons.tsx'
import { tellDone } from '../../../parts/notify.ts'
import { t } from '../../../texts.ts'
import { oldTranslations } from '../wheel-warnings.ts'
import { languageName } from './language-name.ts'

export function OutdatedNotice(props: {
  wheel: WheelDocument
  onChange: (next: WheelDocument, key: string) => void
  isReadOnly: boolean
  /** The language whose texts are edited, if so. */
  tag?: string
}) {
  const { wheel, onChange, isReadOnly, tag } = props
  const outdated = outdatedTranslations(wheel)
  const inTag = outdated.filter(({ language }) => language === tag)
  if (outdated.length === 0) return null
  const remove = () => {
    const isOutdated = (place: Parameters<typeof isSamePlace>[0]) =>
      outdated.some((one) => isSamePlace(one, place))
    onChange(removeTranslations(wheel, isOutdated), 'remove outdated')
    tellDone(t('texts.outdatedRemoved', { count: outdated.length }))
  }
  return (
    <Alert
      color="yellow"
      variant="light"
      icon={<Icon name="warning" />}
      title={t('texts.outdatedTitle', { count: outdated.length })}
      role="status"
    >
      <List size="sm" spacing={4} mb="xs">
        {oldTranslations(wheel).map((one) => (
          <List.Item key={one}>{one}</List.Item>
        ))}
      </List>
      <Text size="sm">{t('texts.outdatedText')}</Text>
      {isReadOnly ? null : (
        <Group gap="xs" mt="sm">
          <Button size="xs" variant="default" onClick={remove}>
            {t('texts.removeOutdated')}
          </Button>
          {inTag.length < 2 || tag === undefined ? null : (
            <Button
              size="xs"
              variant="default"
              onClick={() => onChange(confirmTranslations(wheel, inTag), `confirm ${tag}`)}
            >
              {t('texts.confirmAll', { language: languageName(tag) })}
            </Button>
          )}
        </Group>
      )}
    </Alert>
  )
}
