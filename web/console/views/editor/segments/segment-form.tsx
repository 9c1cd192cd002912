import { Checkbox, SimpleGrid, Stack } from '@mantine/core'
import type { WheelSegment } from '../../../../../src/wheel-document/wheel-document.ts'
import { ColourField } from '../../../parts/colour-field.tsx'
import { EmojiField } from '../../../parts/emoji-field.tsx'
import { NumberField } from '../../../parts/number-field.tsx'
import { Term } from '../../../parts/term.tsx'
import { TextareaField, TextField } from '../../../parts/text-field.tsx'
import { t } from '../../../texts.ts'
import { changed, changedSegment } from '../draft/change.ts'
import { errorAt } from '../checks.tsx'
import { palette } from '../draft/new-wheel.ts'
import { PrizeFields } from './prize-fields.tsx'
import { PrizeLimits } from './prize-limits.tsx'
import { countMax, meaningBelow, type SegmentFields } from './segment-fields.ts'
import { SegmentPace } from '../pacing/segment-pace.tsx'
import { SegmentPicture } from './segment-picture.tsx'
import type { EditorProps } from '../editor-props.ts'

export function SegmentForm(
  props: EditorProps & {
    index: number
    segment: WheelSegment
    share: string
    givenOf: (segmentId: string) => number
  },
) {
  const { wheel, segment, index, isReadOnly, errors } = props
  const fields: SegmentFields = {
    segment,
    isReadOnly,
    set: (changes) =>
      props.onChange(changedSegment(wheel, index, changes), `${segment.id} ${Object.keys(changes).join()}`),
    problemOf: (field) => errorAt(errors, `/segments/${index}/${field}`),
  }
  const isFallback = wheel.fallback === segment.id
  return (
    <fieldset disabled={isReadOnly} className="plain">
      <Stack gap="sm" mt="sm">
        <Appearance {...fields} share={props.share} />
        <PrizeFields {...props} />
        {segment.prize.kind === 'none' ? (
          <Term name="fallback">
            <Checkbox
              label={t('segment.isFallback')}
              description={t('segment.fallbackHint')}
              checked={isFallback}
              disabled={isFallback || isReadOnly}
              onChange={() => props.onChange(changed(wheel, { fallback: segment.id }), 'fallback')}
            />
          </Term>
        ) : (
          <>
            <PrizeTexts {...fields} />
            <SegmentPace {...fields} zone={wheel.timeZone} index={index} errors={errors} />
            <PrizeLimits {...fields} zone={wheel.timeZone} given={props.givenOf(segment.id)} />
          </>
        )}
        <SegmentPicture {...fields} />
      </Stack>
    </fieldset>
  )
}

/** Label, icon and colour, and the weight, which can be the width. */
function Appearance({ segment, isReadOnly, set, problemOf, share }: SegmentFields & { share: string }) {
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
      <TextField
        label={t('field.label')}
        value={segment.label}
        lengthMax={40}
        error={problemOf('label')}
        onChange={(label) => set({ label })}
      />
      <EmojiField
        label={t('field.icon')}
        value={segment.icon ?? ''}
        error={problemOf('icon')}
        onChange={(icon) => set({ icon })}
      />
      <ColourField
        label={t('field.color')}
        value={segment.color}
        swatches={palette}
        swatchesPerRow={8}
        error={problemOf('color')}
        onChange={(color) => set({ color })}
        disabled={isReadOnly}
      />
      <Term name="weight">
        <NumberField
          label={t('field.weight')}
          meaning={t('segment.chance', { share })}
          inputWrapperOrder={meaningBelow}
          value={segment.weight}
          min={0}
          max={countMax}
          error={problemOf('weight')}
          onChange={(weight) => set({ weight })}
        />
      </Term>
    </SimpleGrid>
  )
}

/** What the winner reads. */
function PrizeTexts({ segment, set, problemOf }: SegmentFields) {
  return (
    <>
      <TextField
        label={t('field.title')}
        description={t('segment.titleHint')}
        value={segment.title ?? ''}
        lengthMax={120}
        error={problemOf('title')}
        onChange={(title) => set({ title })}
      />
      <TextareaField
        label={t('field.instructions')}
        autosize
        minRows={2}
        value={segment.instructions ?? ''}
        lengthMax={500}
        error={problemOf('instructions')}
        onChange={(instructions) => set({ instructions })}
      />
    </>
  )
}
