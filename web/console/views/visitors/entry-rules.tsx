/** What a visitor gets, how the address is proven, and how long answers are kept. */
import { Checkbox, Paper, SimpleGrid, Stack, Title } from '@mantine/core'
import { answersDaysMax, consentYearsMax, entrySpinsMax } from '../../../../src/entries/entry-limits.ts'
import { entryChallengeRules, type EntrySettings } from '../../../../src/entries/form.ts'
import { Select } from '../../parts/inputs.tsx'
import { NumberField } from '../../parts/number-field.tsx'
import { useMerchant } from '../../session.tsx'
import { t } from '../../texts.ts'
import type { EntryPart } from './entry-form.tsx'

const entriesMaxMax = 1_000_000_000

export function EntryRules(props: EntryPart & { canSendCodes: boolean }) {
  const { draft, set, isReadOnly } = props
  return (
    <Paper component="section" aria-labelledby="visitors-rules">
      <Title order={2} id="visitors-rules" mb="sm">
        {t('visitors.rules')}
      </Title>
      <Stack gap="md">
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <NumberField
            label={t('visitors.spins')}
            description={t('visitors.spinsText')}
            value={draft.spins}
            min={1}
            max={entrySpinsMax}
            onChange={(spins) => set({ spins })}
          />
          <NumberField
            label={t('visitors.entriesMax')}
            description={t('visitors.entriesMaxText')}
            placeholder={t('visitors.noLimit')}
            value={draft.entriesMax ?? undefined}
            min={1}
            max={entriesMaxMax}
            canBeEmpty
            onChange={(entriesMax) => set({ entriesMax: entriesMax ?? null })}
          />
        </SimpleGrid>
        <Proof {...props} />
        <Select
          label={t('visitors.challenge')}
          description={t('visitors.challengeText')}
          data={entryChallengeRules.map((value) => ({ value, label: t(`visitors.challenge.${value}`) }))}
          value={draft.challenge}
          allowDeselect={false}
          disabled={isReadOnly}
          maw={420}
          onChange={(challenge) => set({ challenge: challenge as EntrySettings['challenge'] })}
        />
        <Retention {...props} />
      </Stack>
    </Paper>
  )
}

function Proof({ draft, set, isReadOnly, canSendCodes }: EntryPart & { canSendCodes: boolean }) {
  const { live } = useMerchant()
  const isOn = draft.verify === 'code'
  const text = !live ? 'visitors.proofTest' : canSendCodes ? 'visitors.proofText' : 'visitors.proofNoMail'
  return (
    <>
      <Checkbox
        label={t('visitors.proof')}
        description={t(text)}
        checked={isOn}
        disabled={isReadOnly || (!canSendCodes && !isOn)}
        onChange={(event) => set({ verify: event.currentTarget.checked ? 'code' : 'none' })}
      />
      <Checkbox
        label={t('visitors.disposable')}
        description={t('visitors.disposableText')}
        checked={draft.refusesDisposable}
        disabled={isReadOnly}
        onChange={(event) => set({ refusesDisposable: event.currentTarget.checked })}
      />
    </>
  )
}

function Retention({ draft, set }: EntryPart) {
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <NumberField
        label={t('visitors.answersDays')}
        description={t('visitors.answersDaysText')}
        value={draft.answersDays}
        min={1}
        max={answersDaysMax}
        onChange={(answersDays) => set({ answersDays })}
      />
      <NumberField
        label={t('visitors.consentYears')}
        description={t('visitors.consentYearsText')}
        value={draft.consentYears}
        min={1}
        max={consentYearsMax}
        onChange={(consentYears) => set({ consentYears })}
      />
    </SimpleGrid>
  )
}
