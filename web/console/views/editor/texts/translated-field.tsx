/** A text in one other language: says that it is outdated, until it is edited or confirmed. */
import { Button, Text } from '@mantine/core'
import {
  confirmTranslations,
  isSamePlace,
  outdatedTranslations,
  type TranslatedPlace,
} from '../../../../../src/wheel-document/translated-from.ts'
import { TextareaField, TextField } from '../../../parts/text-field.tsx'
import { t } from '../../../texts.ts'
import type { EditorProps } from '../editor-props.ts'
import { meaningBelow } from '../segments/segment-fields.ts'

type FieldProps = {
  label: string
  placeholder: string
  value: string
  lengthMax: number
  error: string | null
  onChange: (text: string) => void
}

export function TranslatedField(
  props: FieldProps & {
    editor: Pick<EditorProps, 'wheel' | 'onChange' | 'isReadOnly'>
    place: TranslatedPlace
    hasLines?: boolean
  },
) {
  const { editor, place, hasLines = false, ...field } = props
  const { wheel, onChange, isReadOnly } = editor
  const outdated = outdatedTranslations(wheel).find((one) => isSamePlace(one, place))
  const description =
    outdated === undefined ? undefined : (
      <Text span inherit className="outdated">
        {outdated.text === '' ? t('texts.doubtful') : t('texts.outdated', { text: outdated.text })}
      </Text>
    )
  const shared = { ...field, description, inputWrapperOrder: meaningBelow }
  const confirm = () =>
    onChange(confirmTranslations(wheel, [place]), `confirm ${Object.values(place).join(' ')}`)
  return (
    <div>
      {hasLines ? <TextareaField autosize {...shared} /> : <TextField {...shared} />}
      {outdated === undefined || isReadOnly ? null : (
        <Button
          mt={4}
          size="compact-xs"
          variant="default"
          onClick={confirm}
          aria-label={t('texts.confirmOf', { field: field.label })}
        >
          {t('texts.confirm')}
        </Button>
      )}
    </div>
  )
}
