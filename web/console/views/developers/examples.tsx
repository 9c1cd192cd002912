import { Paper, Select, Stack, Text, Title } from '@mantine/core'
import { useState } from 'react'
import type { TokensAnswer } from '../../../../src/http/answers/tokens.ts'
import { CopyText } from '../../parts/copy.tsx'
import { Loaded } from '../../parts/states.tsx'
import { AddressTabs } from '../../parts/tabs.tsx'
import { useRead } from '../../session.tsx'
import { t } from '../../texts.ts'
import { type Language, languages, snippetFile, tasks, withServer } from './snippet-files.ts'

const files = import.meta.glob('./snippets/*', { query: '?raw', import: 'default', eager: true })

/** Programs to copy, with the address of this server and the id of one of the merchant's tokens. */
export function Examples() {
  const tokens = useRead<TokensAnswer>(['tokens'], '/api/v1/tokens')
  return (
    <Stack gap="lg">
      <Loaded query={tokens} rows={2}>
        {(data) => <Variables tokenIds={data.tokens.filter(isUsable).map(({ tokenId }) => tokenId)} />}
      </Loaded>
      <AddressTabs
        name="language"
        label={t('examples.languages')}
        tabs={languages.map((language) => ({
          value: language,
          label: t(`examples.${language}`),
          content: <Snippets language={language} />,
        }))}
      />
    </Stack>
  )
}

function isUsable({ revokedAt, expiresAt, scopes }: TokensAnswer['tokens'][number]): boolean {
  const now = new Date().toISOString()
  const isLive = revokedAt === null && (expiresAt === null || expiresAt > now)
  return isLive && scopes.includes('spins') && scopes.includes('links')
}

function Variables({ tokenIds }: { tokenIds: string[] }) {
  const [chosen, setChosen] = useState<string | null>(null)
  const tokenId = chosen ?? tokenIds[0]
  const lines = [
    `export WHEELHOUSE_TOKEN='${tokenId ?? '<token ID>'}:<secret>'`,
    "export WEBHOOK_SECRET='whsec_<secret>'",
  ]
  return (
    <Paper component="section" aria-labelledby="variables-title">
      <Title order={2} id="variables-title">
        {t('examples.variables')}
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        {t('examples.variablesText')}
      </Text>
      {tokenIds.length === 0 ? (
        <Text size="sm" mb="sm">
          {t('examples.noToken')}
        </Text>
      ) : (
        <Select
          label={t('examples.token')}
          data={tokenIds}
          value={tokenId ?? null}
          onChange={setChosen}
          allowDeselect={false}
          mb="sm"
          maw={360}
        />
      )}
      <CopyText text={lines.join('\n')} label={t('examples.variables')} />
    </Paper>
  )
}

function Snippets({ language }: { language: Language }) {
  return (
    <Stack gap="lg">
      {language === 'node' ? (
        <Text size="sm" c="dimmed">
          {t('examples.nodeText')}
        </Text>
      ) : null}
      {tasks.map((task) => (
        <Paper key={task} component="section" aria-label={t(`examples.${task}`)}>
          <Title order={2} mb="xs">
            {t(`examples.${task}`)}
          </Title>
          <Text size="sm" c="dimmed" mb="sm">
            {t(`examples.${task}Text`)}
          </Text>
          <CopyText
            text={withServer(files[`./snippets/${snippetFile(language, task)}`] ?? '', location.origin)}
            label={t(`examples.${task}`)}
          />
        </Paper>
      ))}
    </Stack>
  )
}
