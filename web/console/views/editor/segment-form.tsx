import {
  Button,
  Checkbox,
  FileButton,
  Group,
  SimpleGrid,
  Stack,
  Text,
  type TextInputProps,
} from '@mantine/core'
import type { WheelSegment } from '../../../../src/wheels/wheel-document.ts'
import { ColourField } from '../../parts/colour-field.tsx'
import { DurationField } from '../../parts/duration-field.tsx'
import { EmojiField } from '../../parts/emoji-field.tsx'
import { tellProblem } from '../../parts/notify.ts'
import { MoneyField, NumberField } from '../../parts/number-field.tsx'
import { TextareaField, TextField } from '../../parts/text-field.tsx'
import { MomentField } from '../../parts/time-fields.tsx'
import { t } from '../../texts.ts'
import { changed, changedSegment } from './change.ts'
import { errorAt } from './checks.tsx'
import { palette } from './new-wheel.ts'
import { PrizeFields } from './prize-fields.tsx'
import { readPicture } from './picture.ts'
import { SegmentPace } from './segment-pace.tsx'
import type { EditorProps } from './editor-props.ts'

const countMax = 1_000_000_000
const minute = 60
const day = 86_400
const meaningBelow = ['label', 'input', 'description', 'error'] satisfies TextInputProps['inputWrapperOrder']

export function SegmentForm(
  props: EditorProps & {
    index: number
    segment: WheelSegment
    share: string
    givenOf: (segmentId: string) => number
  },
) {
  const { wheel, segment, index, isReadOnly, errors } = props
  const set = (changes: Partial<{ [K in keyof WheelSegment]: WheelSegment[K] | undefined }>) =>
    props.onChange(changedSegment(wheel, index, changes), `${segment.id} ${Object.keys(changes).join()}`)
  const at = (field: string) => errorAt(errors, `/segments/${index}/${field}`)
  const isFallback = wheel.fallback === segment.id
  const isPrize = segment.prize.kind !== 'none'
  return (
    <fieldset disabled={isReadOnly} className="plain">
      <Stack gap="sm" mt="sm">
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
          <TextField
            label={t('field.label')}
            value={segment.label}
            lengthMax={40}
            error={at('label')}
            onChange={(label) => set({ label })}
          />
          <EmojiField
            label={t('field.icon')}
            value={segment.icon ?? ''}
            error={at('icon')}
            onChange={(icon) => set({ icon })}
          />
          <ColourField
            label={t('field.color')}
            value={segment.color}
            swatches={palette}
            swatchesPerRow={8}
            error={at('color')}
            onChange={(color) => set({ color })}
            disabled={isReadOnly}
          />
          <NumberField
            label={t('field.weight')}
            meaning={t('segment.chance', { share: props.share })}
            inputWrapperOrder={meaningBelow}
            value={segment.weight}
            min={0}
            max={countMax}
            error={at('weight')}
            onChange={(weight) => set({ weight })}
          />
        </SimpleGrid>
        <PrizeFields {...props} />
        {isPrize ? (
          <>
            <TextField
              label={t('field.title')}
              description={t('segment.titleHint')}
              value={segment.title ?? ''}
              lengthMax={120}
              error={at('title')}
              onChange={(title) => set({ title })}
            />
            <TextareaField
              label={t('field.instructions')}
              autosize
              minRows={2}
              value={segment.instructions ?? ''}
              lengthMax={500}
              error={at('instructions')}
              onChange={(instructions) => set({ instructions })}
            />
          </>
        ) : null}
        {isPrize ? (
          <>
            <SegmentPace zone={wheel.timeZone} {...{ segment, index, errors, isReadOnly, set }} />
            <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
              {segment.pace !== undefined ? null : (
                <>
                  <NumberField
                    label={t('field.stock')}
                    placeholder={t('segment.unlimited')}
                    {...(segment.stock === undefined
                      ? {}
                      : {
                          meaning: t('segment.left', {
                            count: Math.max(0, segment.stock - props.givenOf(segment.id)),
                          }),
                        })}
                    inputWrapperOrder={meaningBelow}
                    value={segment.stock}
                    canBeEmpty
                    min={0}
                    max={countMax}
                    error={at('stock')}
                    onChange={(stock) => set({ stock })}
                  />
                  <NumberField
                    label={t('field.stockPerDay')}
                    placeholder={t('segment.unlimited')}
                    value={segment.stockPerDay}
                    canBeEmpty
                    min={1}
                    max={countMax}
                    error={at('stockPerDay')}
                    onChange={(stockPerDay) => set({ stockPerDay })}
                  />
                </>
              )}
              <NumberField
                label={t('field.limitPerPlayer')}
                placeholder={t('segment.unlimited')}
                value={segment.limitPerPlayer}
                canBeEmpty
                min={1}
                max={countMax}
                error={at('limitPerPlayer')}
                onChange={(limitPerPlayer) => set({ limitPerPlayer })}
              />
              <MoneyField
                label={t('field.cost')}
                value={segment.cost}
                canBeEmpty
                min={0}
                max={countMax}
                error={at('cost')}
                onChange={(cost) => set({ cost })}
              />
              <DurationField
                label={t('field.claimWithinSeconds')}
                placeholder={t('segment.noLimit')}
                value={segment.claimWithinSeconds}
                canBeEmpty
                minSeconds={minute}
                maxSeconds={400 * day}
                error={at('claimWithinSeconds')}
                onChange={(claimWithinSeconds) => set({ claimWithinSeconds })}
              />
            </SimpleGrid>
            {segment.pace !== undefined ? null : (
              <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
                <MomentField
                  label={t('field.winnableFrom')}
                  zone={wheel.timeZone}
                  value={segment.winnableFrom}
                  error={at('winnableFrom')}
                  onChange={(winnableFrom) => set({ winnableFrom })}
                />
                <MomentField
                  label={t('field.winnableUntil')}
                  zone={wheel.timeZone}
                  value={segment.winnableUntil}
                  error={at('winnableUntil')}
                  onChange={(winnableUntil) => set({ winnableUntil })}
                />
              </SimpleGrid>
            )}
          </>
        ) : (
          <Checkbox
            label={t('segment.isFallback')}
            description={t('segment.fallbackHint')}
            checked={isFallback}
            disabled={isFallback || isReadOnly}
            onChange={() => props.onChange(changed(wheel, { fallback: segment.id }), 'fallback')}
          />
        )}
        <Group gap="sm">
          <FileButton
            accept="image/png,image/jpeg,image/webp"
            onChange={(file) =>
              file !== null && void readPicture(file).then((image) => set({ image }), tellProblem)
            }
          >
            {(button) => (
              <Button {...button} variant="default" size="xs" disabled={isReadOnly}>
                {segment.image === undefined ? t('segment.addPicture') : t('segment.changePicture')}
              </Button>
            )}
          </FileButton>
          {segment.image === undefined ? null : (
            <>
              <img
                src={segment.image}
                alt={t('segment.picture')}
                width={32}
                height={32}
                style={{ objectFit: 'contain' }}
              />
              <Button variant="subtle" color="red" size="xs" onClick={() => set({ image: undefined })}>
                {t('segment.removePicture')}
              </Button>
            </>
          )}
          <Text size="xs" c="dimmed" className="mono" ml="auto">
            {segment.id}
          </Text>
        </Group>
      </Stack>
    </fieldset>
  )
}
