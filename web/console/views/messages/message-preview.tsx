/** A message as players get it, with the texts that are being edited; and a test message to oneself. */
import { Button, Group, Paper, SegmentedControl, Stack, Text, Title } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { MessageExampleAnswer } from '../../../../src/http/answers/messages.ts'
import type { MessageTexts } from '../../../../src/messages/message-texts.ts'
import { useAction } from '../../parts/action.ts'
import { tellDone, tellProblem } from '../../parts/notify.ts'
import { Loaded } from '../../parts/states.tsx'
import { useApi, useMay, useSignInOptions } from '../../session.tsx'
import { t } from '../../texts.ts'
import { languageName } from '../editor/texts/language-name.ts'
import { MailFrame } from './mail-frame.tsx'
import './messages.css'

/** `texts`: undefined for a kind that has no own ones. */
type Order = {
  kind: string
  language: string
  campaign: string | undefined
  texts: MessageTexts | undefined
}
const ways = ['light', 'dark', 'text'] as const

export function MessagePreview({ order, isWrong }: { order: Order; isWrong: boolean }) {
  const api = useApi()
  const [way, setWay] = useState<(typeof ways)[number]>('light')
  // As text, which is the same value in every render. The server would refuse a wrong one.
  const [body] = useDebouncedValue(isWrong ? null : JSON.stringify(order), 250)
  const example = useQuery({
    queryKey: [api.merchant, 'message-example', body],
    queryFn: () => api.post<MessageExampleAnswer>('/api/v1/messages/preview', JSON.parse(body ?? '')),
    enabled: body !== null,
    placeholderData: keepPreviousData,
    gcTime: 0,
  })
  return (
    <Paper component="section" aria-labelledby="message-preview" className="editor-aside">
      <Title order={2} id="message-preview">
        {t('messages.preview')}
      </Title>
      <Text size="sm" c="dimmed" mb="md">
        {t('messages.previewText', { language: languageName(order.language) })}
      </Text>
      <Stack gap="sm">
        <SegmentedControl
          fullWidth
          aria-label={t('messages.previewWay')}
          data={ways.map((value) => ({ value, label: t(`messages.way.${value}`) }))}
          value={way}
          onChange={setWay}
        />
        {isWrong ? <Text size="sm">{t('messages.previewWrong')}</Text> : null}
        <Loaded query={example}>{(message) => <Message message={message} way={way} />}</Loaded>
        <TestMessage order={order} isWrong={isWrong} />
      </Stack>
    </Paper>
  )
}

function Message({ message, way }: { message: MessageExampleAnswer; way: (typeof ways)[number] }) {
  const { fromName, subject, text, html } = message
  return (
    <div className="mail">
      <dl className="mail-head">
        {fromName === '' ? null : (
          <div>
            <dt>{t('messages.from')}</dt>
            <dd className="wrap-anywhere">{fromName}</dd>
          </div>
        )}
        <div>
          <dt>{t('messages.subjectLine')}</dt>
          <dd className="wrap-anywhere">
            <bdi>{subject}</bdi>
          </dd>
        </div>
      </dl>
      {way === 'text' ? (
        <pre className="mail-text" tabIndex={0} aria-label={t('messages.way.text')} dir="auto">
          {text}
        </pre>
      ) : (
        <MailFrame html={html} scheme={way} title={t('messages.preview')} />
      )}
    </div>
  )
}

function TestMessage({ order, isWrong }: { order: Order; isWrong: boolean }) {
  const api = useApi()
  const may = useMay()
  const hasMail = useSignInOptions()?.resetsByMail === true
  const send = useAction({
    mutationFn: () => api.post<{ to: string }>('/api/v1/messages/test', order),
    onSuccess: ({ to }) => tellDone(t('messages.testSent', { to })),
    onError: tellProblem,
  })
  if (!may.edit || !hasMail) return null
  return (
    <Group>
      <Button variant="default" disabled={isWrong} loading={send.isPending} onClick={() => send.mutate()}>
        {t('messages.test')}
      </Button>
    </Group>
  )
}
