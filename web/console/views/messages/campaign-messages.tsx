/** Which messages a campaign sends, with its own texts where it has some. */
import { Anchor, Paper, Stack, Switch, Text, Title } from '@mantine/core'
import { Link } from 'wouter'
import type { CampaignAnswer } from '../../../../src/http/answers/campaigns.ts'
import type { MessageSettingsAnswer, MessageStopAnswer } from '../../../../src/http/answers/messages.ts'
import { type MessageKind, messageKinds } from '../../../../src/messages/message-texts.ts'
import { Form } from '../../parts/form.tsx'
import { Loaded } from '../../parts/states.tsx'
import { TextField } from '../../parts/text-field.tsx'
import { useApi, useMay, useRead, useSignInOptions } from '../../session.tsx'
import { t } from '../../texts.ts'
import { useEdits } from '../campaigns/change-campaign.ts'
import { Warnings } from '../editor/checks.tsx'
import { Saving } from './saving.tsx'
import { TextsEditor } from './texts-editor.tsx'
import { type TextsByKind, useTextPlaces } from './use-texts.ts'

const addressLengthMax = 254

export function CampaignMessages({ campaign }: { campaign: CampaignAnswer }) {
  const path = `/api/v1/campaigns/${campaign.campaign}/messages`
  const settings = useRead<MessageSettingsAnswer>(['campaigns', 'messages', campaign.campaign], path)
  return (
    <Loaded query={settings}>{(saved) => <Editor campaign={campaign} saved={saved} path={path} />}</Loaded>
  )
}

function Editor(props: { campaign: CampaignAnswer; saved: MessageSettingsAnswer; path: string }) {
  const { campaign, saved, path } = props
  const api = useApi()
  const may = useMay()
  const hasMail = useSignInOptions()?.resetsByMail !== false
  const isReadOnly = !may.edit || campaign.archivedAt !== null || !hasMail
  const edits = useEdits({
    saved,
    names: ['replyTo', 'kinds'],
    send: (_, draft) => api.put(path, draft, { 'If-Match': `"${saved.revision}"` }),
  })
  const { kinds } = edits.draft
  const texts = Object.fromEntries(messageKinds.map((kind) => [kind, kinds[kind].texts])) as TextsByKind
  const places = useTextPlaces(texts)
  const put = (kind: MessageKind, change: Partial<(typeof kinds)['won']>) =>
    edits.set({ kinds: { ...kinds, [kind]: { ...kinds[kind], ...change } } })
  return (
    <Form gap="lg" onSubmit={() => places.saveOr(edits.save)}>
      <Kinds
        {...{ campaign, hasMail, isReadOnly, put }}
        draft={edits.draft}
        onReplyTo={(replyTo) => edits.set({ replyTo })}
      />
      <div className="editor">
        <TextsEditor
          {...places}
          texts={texts}
          campaign={campaign.campaign}
          isReadOnly={isReadOnly}
          onChange={(kind, next) => put(kind, { texts: next })}
        />
      </div>
      <Saving edits={edits} problemCount={places.problems.length} campaign={campaign.campaign} />
    </Form>
  )
}

/** What is switched on, and where answers go. */
function Kinds(props: {
  campaign: CampaignAnswer
  draft: Pick<MessageSettingsAnswer, 'kinds' | 'replyTo'>
  hasMail: boolean
  isReadOnly: boolean
  put: (kind: MessageKind, change: { isOn: boolean }) => void
  onReplyTo: (address: string | null) => void
}) {
  const { campaign, hasMail, isReadOnly, put, onReplyTo } = props
  const { kinds, replyTo } = props.draft
  const { merchant } = useApi()
  return (
    <Paper component="section" aria-labelledby="message-kinds">
      <Title order={2} id="message-kinds">
        {t('messages.kinds')}
      </Title>
      <Text size="sm" c="dimmed" mb="md">
        {t('messages.kindsText')}{' '}
        <Anchor
          component={Link}
          underline="always"
          href={`/m/${merchant}/messages?tab=log&campaign=${campaign.campaign}`}
        >
          {t('messages.seeLog')}
        </Anchor>
      </Text>
      <Stack gap="md">
        <Obstacles hasMail={hasMail} />
        {messageKinds.map((kind) => (
          <Switch
            key={kind}
            label={t(`messages.kind.${kind}`)}
            description={t(`messages.when.${kind}`)}
            checked={kinds[kind].isOn}
            disabled={isReadOnly}
            onChange={(event) => put(kind, { isOn: event.currentTarget.checked })}
          />
        ))}
        <TextField
          label={t('messages.replyTo')}
          description={t('messages.replyToText')}
          placeholder="shop@example.com"
          inputMode="email"
          maw={420}
          value={replyTo ?? ''}
          lengthMax={addressLengthMax}
          disabled={isReadOnly}
          error={isAddress(replyTo) ? null : t('messages.noAddress')}
          onChange={(text) => onReplyTo(text === '' ? null : text)}
        />
      </Stack>
    </Paper>
  )
}

/** Why nothing is sent, whatever is switched on. */
function Obstacles({ hasMail }: { hasMail: boolean }) {
  const stop = useRead<MessageStopAnswer>(['message-stop'], '/api/v1/messages/stop')
  const warnings = [
    ...(hasMail ? [] : [t('messages.noMail')]),
    ...(stop.data?.stoppedAt ? [t('messages.stoppedHint')] : []),
  ]
  return warnings.length === 0 ? null : <Warnings warnings={warnings} title={t('messages.obstacles')} />
}

function isAddress(text: string | null): boolean {
  return text === null || /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)*$/.test(text)
}
