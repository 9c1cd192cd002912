/** How visitors whom no server knows enter a campaign: whether, by which form, and under which terms. */
import { Group, Paper, Stack, Switch, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { flushSync } from 'react-dom'
import type { CampaignAnswer } from '../../../../src/http/answers/campaigns.ts'
import type { EntrySettingsAnswer } from '../../../../src/http/answers/entry-settings.ts'
import { Form, ReasonInput, Submit } from '../../parts/form.tsx'
import { Loaded, Waiting } from '../../parts/states.tsx'
import { useReportUnfinished } from '../../parts/unfinished.tsx'
import { useMay, useMerchant } from '../../session.tsx'
import { formatNumber, hasText, t } from '../../texts.ts'
import { SavedElsewhere } from '../campaigns/saved-elsewhere.tsx'
import { Warnings } from '../editor/checks.tsx'
import { ClosingTime } from './closing-time.tsx'
import { EntryAddress } from './entry-address.tsx'
import { EntryFigures } from './entry-figures.tsx'
import { EntryForm } from './entry-form.tsx'
import { EntryList } from './entry-list.tsx'
import { EntryPreview } from './entry-preview.tsx'
import { EntryRules } from './entry-rules.tsx'
import { EntryTermsFields } from './entry-terms.tsx'
import { TestCodes } from './test-codes.tsx'
import { type EntryEdits, useCanSendCodes, useEntry, useEntryEdits } from './use-entry.ts'

export function Visitors({ campaign }: { campaign: CampaignAnswer }) {
  const entry = useEntry(campaign.campaign)
  const canSendCodes = useCanSendCodes()
  if (canSendCodes === undefined) return <Waiting />
  return (
    <Loaded query={entry}>
      {(data) => <EntryEditor campaign={campaign} entry={data} canSendCodes={canSendCodes} />}
    </Loaded>
  )
}

function EntryEditor(props: {
  campaign: CampaignAnswer
  entry: EntrySettingsAnswer | null
  canSendCodes: boolean
}) {
  const { campaign, entry, canSendCodes } = props
  const may = useMay()
  const { live } = useMerchant()
  const edits = useEntryEdits(props)
  const isReadOnly = !may.edit || campaign.archivedAt !== null
  const texts = Object.keys(edits.draft.terms.texts)
  const [language, setLanguage] = useState(texts[0] ?? 'en')
  // Not all at once, while somebody is only beginning.
  const [hasTried, setTried] = useState(entry?.isOpen === true)
  const problems = hasTried ? edits.problems : []
  const part = { draft: edits.draft, set: edits.set, problems, isReadOnly, language }
  return (
    <Stack gap="lg">
      <Opening campaign={campaign} entry={entry} edits={edits} isReadOnly={isReadOnly} />
      {entry === null ? null : <EntryAddress entry={entry} />}
      {entry === null || !may.serve || live ? null : <TestCodes campaign={campaign.campaign} />}
      {entry === null ? null : (
        <EntryFigures campaign={campaign.campaign} provesAddresses={entry.verify === 'code'} />
      )}
      {entry === null || !may.serve ? null : <EntryList campaign={campaign.campaign} fields={entry.fields} />}
      {entry === null && !edits.draft.isOpen ? null : (
        <div className="editor">
          {/* The form moves the focus to the first field that is marked, so they are marked before. */}
          <fieldset
            disabled={isReadOnly}
            className="plain"
            onSubmitCapture={() => flushSync(() => setTried(true))}
          >
            <Form gap="lg" onSubmit={edits.save}>
              <EntryForm {...part} onLanguage={setLanguage} />
              <EntryTermsFields {...part} />
              <EntryRules {...part} canSendCodes={canSendCodes} />
              {isReadOnly ? null : <Saving edits={edits} campaign={campaign} />}
            </Form>
          </fieldset>
          <EntryPreview draft={edits.draft} campaign={campaign} language={language} />
        </div>
      )}
    </Stack>
  )
}

/** The switch, and what stands between the campaign and its visitors. */
function Opening(props: {
  campaign: CampaignAnswer
  entry: EntrySettingsAnswer | null
  edits: EntryEdits
  isReadOnly: boolean
}) {
  const { campaign, entry, edits, isReadOnly } = props
  const { isOpen } = edits.draft
  const warnings = entry?.warnings.map(warningText) ?? []
  return (
    <Paper component="section" aria-labelledby="visitors-open">
      <Title order={2} id="visitors-open">
        {t('visitors.title')}
      </Title>
      <Text size="sm" c="dimmed" mb="md">
        {t('visitors.text')}
      </Text>
      <Stack gap="md">
        <Switch
          label={t('visitors.open')}
          description={t(isOpen ? 'visitors.openText' : 'visitors.closedText')}
          checked={isOpen}
          disabled={isReadOnly}
          onChange={(event) => edits.set({ isOpen: event.currentTarget.checked })}
        />
        {entry === null ? null : (
          <Text size="sm">
            {t('visitors.entered', { count: entry.entries.entered })}{' '}
            {entry.verify === 'code'
              ? t('visitors.verified', { number: formatNumber(entry.entries.verified) })
              : ''}
          </Text>
        )}
        {campaign.endsAt === null && isOpen ? (
          <ClosingTime campaign={campaign} isReadOnly={isReadOnly} />
        ) : null}
        {warnings.length === 0 ? null : <Warnings warnings={warnings} title={t('visitors.warnings')} />}
      </Stack>
    </Paper>
  )
}

function warningText({ code, detail }: { code: string; detail: string }): string {
  const key = `visitors.warning.${code}`
  return hasText(key) ? t(key) : detail
}

/** Stays in sight while something is not saved. */
function Saving({ edits, campaign }: { edits: EntryEdits; campaign: CampaignAnswer }) {
  const count = edits.problems.length
  useReportUnfinished(count > 0)
  if (!edits.hasChanges) return null
  return (
    <>
      {edits.needsReason ? (
        <ReasonInput value={edits.reason} onChange={edits.setReason} description={t('visitors.reasonText')} />
      ) : null}
      <SavedElsewhere edits={edits} campaign={campaign} />
      <Group className="save-bar" justify="space-between" gap="sm">
        <Text size="sm" role="status">
          {count === 0 ? t('visitors.unsaved') : t('visitors.problems', { count })}
        </Text>
        <Submit loading={edits.isSaving}>{t('action.save')}</Submit>
      </Group>
    </>
  )
}
