import { Checkbox, SimpleGrid } from '@mantine/core'
import { isSettledKind } from '../../../../../src/prize-kinds/prize-kinds.ts'
import { DurationField } from '../../../parts/duration-field.tsx'
import { MoneyField, NumberField } from '../../../parts/number-field.tsx'
import { MomentField } from '../../../parts/time-fields.tsx'
import { t } from '../../../texts.ts'
import { PrizeHold } from './prize-hold.tsx'
import { countMax, meaningBelow, type SegmentFields } from './segment-fields.ts'

const minute = 60
const day = 86_400

/** When and how often a prize can be won, its cost, and the time to claim it. A pace replaces stock and times. */
export function PrizeLimits({ zone, given, ...fields }: SegmentFields & { zone: string; given: number }) {
  const { segment, set, problemOf } = fields
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        {segment.pace !== undefined ? null : <Stock {...fields} given={given} />}
        <NumberField
          label={t('field.limitPerPlayer')}
          placeholder={t('segment.unlimited')}
          value={segment.limitPerPlayer}
          canBeEmpty
          min={1}
          max={countMax}
          error={problemOf('limitPerPlayer')}
          onChange={(limitPerPlayer) => set({ limitPerPlayer })}
        />
        <MoneyField
          label={t('field.cost')}
          value={segment.cost}
          canBeEmpty
          min={0}
          max={countMax}
          error={problemOf('cost')}
          onChange={(cost) => set({ cost })}
        />
        <DurationField
          label={t('field.claimWithinSeconds')}
          placeholder={t('segment.noLimit')}
          value={segment.claimWithinSeconds}
          canBeEmpty
          minSeconds={minute}
          maxSeconds={400 * day}
          error={problemOf('claimWithinSeconds')}
          onChange={(claimWithinSeconds) => set({ claimWithinSeconds })}
        />
      </SimpleGrid>
      {isSettledKind(segment.prize.kind) ? <ClaimInWallet {...fields} /> : null}
      {isSettledKind(segment.prize.kind) || segment.hold !== undefined ? <PrizeHold {...fields} /> : null}
      {segment.pace !== undefined ? null : <WinnableTimes {...fields} zone={zone} />}
    </>
  )
}

function ClaimInWallet({ segment, set }: SegmentFields) {
  return (
    <Checkbox
      label={t('field.claimInWallet')}
      description={t('segment.claimInWallet')}
      checked={segment.claimInWallet === true}
      onChange={({ target }) => set({ claimInWallet: target.checked ? true : undefined })}
    />
  )
}

function Stock({ segment, set, problemOf, given }: SegmentFields & { given: number }) {
  return (
    <>
      <NumberField
        label={t('field.stock')}
        placeholder={t('segment.unlimited')}
        {...(segment.stock === undefined
          ? {}
          : { meaning: t('segment.left', { count: Math.max(0, segment.stock - given) }) })}
        inputWrapperOrder={meaningBelow}
        value={segment.stock}
        canBeEmpty
        min={0}
        max={countMax}
        error={problemOf('stock')}
        onChange={(stock) => set({ stock })}
      />
      <NumberField
        label={t('field.stockPerDay')}
        placeholder={t('segment.unlimited')}
        value={segment.stockPerDay}
        canBeEmpty
        min={1}
        max={countMax}
        error={problemOf('stockPerDay')}
        onChange={(stockPerDay) => set({ stockPerDay })}
      />
    </>
  )
}

function WinnableTimes({ segment, set, problemOf, zone }: SegmentFields & { zone: string }) {
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
      <MomentField
        label={t('field.winnableFrom')}
        zone={zone}
        value={segment.winnableFrom}
        error={problemOf('winnableFrom')}
        onChange={(winnableFrom) => set({ winnableFrom })}
      />
      <MomentField
        label={t('field.winnableUntil')}
        zone={zone}
        value={segment.winnableUntil}
        error={problemOf('winnableUntil')}
        onChange={(winnableUntil) => set({ winnableUntil })}
      />
    </SimpleGrid>
  )
}
