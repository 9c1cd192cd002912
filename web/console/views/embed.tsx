import { Button, Group, Paper, Select, SimpleGrid, Stack, Text, TextInput, Title } from '@mantine/core'
import { useState } from 'react'
import type { GameLinkAnswer } from '../../../src/http/answers/shapes.ts'
import { useAction } from '../parts/action.ts'
import { CopyText } from '../parts/copy.tsx'
import { Form, Submit } from '../parts/form.tsx'
import { NumberField } from '../parts/number-field.tsx'
import { tellProblem } from '../parts/notify.ts'
import { Loaded } from '../parts/states.tsx'
import { CollectUnfinished, useUnfinished } from '../parts/unfinished.tsx'
import { TextField } from '../parts/text-field.tsx'
import { useApi, useMay } from '../session.tsx'
import { t } from '../texts.ts'
import { useEmbedScript } from './embed-script.ts'
import { MissingOrigins } from './missing-origins.tsx'
import { attributesOf, type Choice, modes, snippetOf, triggers } from './snippet.ts'

const first: Choice = {
  mode: 'dialog',
  trigger: 'delay',
  seconds: 5,
  percent: 50,
  selector: '#play',
  label: '',
}

/** Makes the HTML that shows the game in a merchant's own page, and shows it in a preview. */
export function Embed() {
  const [choice, setChoice] = useState(first)
  const { hasUnfinished, report } = useUnfinished()
  const script = useEmbedScript()
  return (
    <Stack gap="lg">
      <MissingOrigins />
      <Paper component="section" aria-labelledby="snippet-title">
        <Title order={2} id="snippet-title">
          {t('embed.title')}
        </Title>
        <Text size="sm" c="dimmed" mb="md">
          {t('embed.text')}
        </Text>
        <CollectUnfinished value={report}>
          <Choices choice={choice} onChange={(change) => setChoice({ ...choice, ...change })} />
        </CollectUnfinished>
        <Loaded query={script}>
          {(found) => (
            <Stack gap="xs" mt="md">
              {hasUnfinished ? (
                <Text size="sm">{t('embed.invalid')}</Text>
              ) : (
                <CopyText label={t('embed.snippet')} text={snippetOf(found, choice)} />
              )}
              <Text size="sm" c="dimmed">
                {t('embed.linkText')}
              </Text>
            </Stack>
          )}
        </Loaded>
      </Paper>
      {hasUnfinished ? null : <Preview choice={choice} />}
    </Stack>
  )
}

function Choices({ choice, onChange }: { choice: Choice; onChange: (change: Partial<Choice>) => void }) {
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <Select
        label={t('embed.mode')}
        data={modes.map((value) => ({ value, label: t(`embed.mode.${value}`) }))}
        value={choice.mode}
        onChange={(mode) => mode !== null && onChange({ mode: mode })}
        allowDeselect={false}
      />
      <Select
        label={t('embed.trigger')}
        data={triggers.map((value) => ({ value, label: t(`embed.trigger.${value}`) }))}
        value={choice.trigger}
        onChange={(trigger) => trigger !== null && onChange({ trigger: trigger })}
        allowDeselect={false}
      />
      <TriggerField choice={choice} onChange={onChange} />
      <TextField
        label={t('embed.label')}
        description={t('embed.labelText')}
        placeholder="Spin the wheel"
        value={choice.label}
        lengthMax={100}
        onChange={(text) => onChange({ label: text })}
      />
    </SimpleGrid>
  )
}

function TriggerField({ choice, onChange }: { choice: Choice; onChange: (change: Partial<Choice>) => void }) {
  if (choice.trigger === 'delay')
    return (
      <NumberField
        label={t('embed.seconds')}
        description={t('embed.secondsText')}
        min={0}
        max={3600}
        value={choice.seconds}
        onChange={(seconds) => onChange({ seconds })}
      />
    )
  if (choice.trigger === 'scroll')
    return (
      <NumberField
        label={t('embed.percent')}
        description={t('embed.percentText')}
        min={0}
        max={100}
        value={choice.percent}
        onChange={(percent) => onChange({ percent })}
      />
    )
  if (choice.trigger === 'click')
    return (
      <TextInput
        label={t('embed.selector')}
        description={t('embed.selectorText')}
        value={choice.selector}
        onChange={(event) => onChange({ selector: event.currentTarget.value })}
      />
    )
  return (
    <Text size="sm" c="dimmed">
      {t(`embed.trigger.${choice.trigger}Text`)}
    </Text>
  )
}

/** Shows a page like a shop's, with the real game. */
function Preview({ choice }: { choice: Choice }) {
  const api = useApi()
  const may = useMay()
  const [playerId, setPlayerId] = useState('preview')
  const [shown, setShown] = useState<string | null>(null)
  const open = useAction({
    mutationFn: () => api.post<GameLinkAnswer>(`/api/v1/players/${encodeURIComponent(playerId)}/links`),
    // The page is opened by this address, whatever address the links have.
    onSuccess: ({ token }) => {
      const link = `${location.origin}/spinthewheel/?token=${token}`
      setShown(String(new URLSearchParams({ link, ...attributesOf(choice) })))
    },
    onError: tellProblem,
  })
  if (!may.serve) return null
  return (
    <Paper component="section" aria-labelledby="preview-title">
      <Title order={2} id="preview-title">
        {t('embed.preview')}
      </Title>
      <Text size="sm" c="dimmed" mb="md">
        {t('embed.previewText')}
      </Text>
      <Form onSubmit={() => open.mutate()}>
        <Group align="flex-end">
          <TextField
            label={t('players.id')}
            value={playerId}
            required
            lengthMax={128}
            onChange={setPlayerId}
          />
          <Submit loading={open.isPending}>{t('embed.open')}</Submit>
          {shown === null ? null : (
            <Button variant="default" onClick={() => setShown(null)}>
              {t('embed.end')}
            </Button>
          )}
        </Group>
      </Form>
      {shown === null ? null : (
        <iframe
          key={shown}
          className="embed-preview"
          title={t('embed.preview')}
          src={`/embed/preview/#${shown}`}
        />
      )}
    </Paper>
  )
}
