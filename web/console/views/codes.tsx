import { Alert, Button, FileInput, Group, Modal, Paper, Progress, SimpleGrid, Text } from '@mantine/core'
import { useState } from 'react'
import type { PoolAnswer, PoolsAnswer, UploadAnswer } from '../../../src/http/answers/code-pools.ts'
import { ExportMenu } from '../parts/export-menu.tsx'
import { Form, Submit } from '../parts/form.tsx'
import { Icon } from '../parts/icons.tsx'
import { tellDone } from '../parts/notify.ts'
import { Empty, Failure, Loaded, PageHead } from '../parts/states.tsx'
import { useApi, useMay, useRead, useRefresh } from '../session.tsx'
import { formatNumber, t } from '../texts.ts'
import { textOfFile } from '../parts/text-file.ts'
import { TextField } from '../parts/text-field.tsx'
import { type CodeFile, readCodes } from './code-file.ts'
import { slugOf } from './editor/draft/slug.ts'

/** Below the server's limits for one request, to show progress and to leave time on a slow connection. */
const codesPerRequest = 5_000

export function Codes() {
  const pools = useRead<PoolsAnswer>(['code-pools'], '/api/v1/code-pools', { refetchInterval: 15_000 })
  const may = useMay()
  const [uploadTo, setUploadTo] = useState<string | null>(null)
  const upload = may.edit ? (
    <Button leftSection={<Icon name="upload" size={16} />} onClick={() => setUploadTo('')}>
      {t('codes.upload')}
    </Button>
  ) : null
  return (
    <>
      <PageHead title={t('nav.codes')} text={t('codes.text')}>
        {upload}
      </PageHead>
      <Loaded query={pools}>
        {(data) =>
          data.pools.length === 0 ? (
            <Paper>
              <Empty icon="codes" title={t('codes.none')} text={t('codes.noneText')}>
                {upload}
              </Empty>
            </Paper>
          ) : (
            <SimpleGrid cols={{ base: 1, sm: 2, xl: 3 }}>
              {data.pools.map((pool) => (
                <PoolCard
                  key={pool.pool}
                  pool={pool}
                  onUpload={may.edit ? () => setUploadTo(pool.pool) : undefined}
                />
              ))}
            </SimpleGrid>
          )
        }
      </Loaded>
      {uploadTo === null ? null : <Upload pool={uploadTo} onClose={() => setUploadTo(null)} />}
    </>
  )
}

function PoolCard({ pool, onUpload }: { pool: PoolAnswer; onUpload: (() => void) | undefined }) {
  const left = pool.uploaded - pool.taken
  const share = pool.uploaded === 0 ? 0 : (left / pool.uploaded) * 100
  return (
    <Paper>
      <Group justify="space-between" wrap="nowrap">
        <Text fw={650} className="wrap-anywhere">
          {pool.pool}
        </Text>
        {onUpload === undefined ? null : (
          <Group gap={6} wrap="nowrap">
            <ExportMenu list="codes" filters={{ pool: pool.pool }} size="xs" />
            <Button size="xs" variant="default" onClick={onUpload}>
              {t('codes.add')}
            </Button>
          </Group>
        )}
      </Group>
      <div className="stat-value" style={{ marginTop: '0.75rem' }}>
        {formatNumber(left)}
      </div>
      <Text size="sm" c="dimmed" mb="xs">
        {t('codes.left', { count: pool.uploaded })}
      </Text>
      <Progress
        value={share}
        color={share < 10 ? 'red' : share < 25 ? 'orange' : 'teal'}
        aria-label={t('codes.leftOf', { pool: pool.pool })}
      />
    </Paper>
  )
}

function Upload({ pool, onClose }: { pool: string; onClose: () => void }) {
  const [name, setName] = useState(pool)
  const { file, fileProblem, found, sent, error, choose, send } = useUpload(onClose)
  const isSending = sent !== null
  return (
    <Modal opened onClose={() => !isSending && onClose()} title={<Text fw={650}>{t('codes.upload')}</Text>}>
      <Form onSubmit={() => void send(name)}>
        <TextField
          label={t('codes.pool')}
          description={name === '' ? t('codes.poolHint') : t('codes.poolIs', { pool: slugOf(name, []) })}
          value={name}
          onChange={setName}
          readOnly={pool !== ''}
          required
          lengthMax={40}
        />
        <FileInput
          label={t('codes.file')}
          description={t('codes.fileHint')}
          placeholder={t('codes.choose')}
          accept=".csv,.txt,text/csv,text/plain"
          value={file}
          error={fileProblem}
          onChange={(chosen) => void choose(chosen)}
          leftSection={<Icon name="upload" size={16} />}
          clearable
        />
        {found === null ? null : <Found file={found} />}
        {error === null ? null : <Failure error={error} />}
        {isSending && found !== null ? (
          <Progress value={(sent / found.codes.length) * 100} animated aria-label={t('codes.progress')} />
        ) : null}
        <Submit loading={isSending} disabled={found === null || found.codes.length === 0 || name === ''}>
          {t('codes.upload')}
        </Submit>
      </Form>
    </Modal>
  )
}

/** Reads a file of codes, and sends it in parts. */
function useUpload(onDone: () => void) {
  const api = useApi()
  const refresh = useRefresh()
  const [file, setFile] = useState<File | null>(null)
  const [found, setFound] = useState<CodeFile | null>(null)
  /** The number of codes sent so far, or null. */
  const [sent, setSent] = useState<number | null>(null)
  const [error, setError] = useState<unknown>(null)
  const [fileProblem, setFileProblem] = useState<string | null>(null)
  const choose = async (chosen: File | null) => {
    setFile(chosen)
    setError(null)
    const text = chosen === null ? '' : textOfFile(new Uint8Array(await chosen.arrayBuffer()))
    setFileProblem(text === undefined ? t('file.notText') : null)
    setFound(chosen === null || text === undefined ? null : readCodes(text))
  }
  const send = async (name: string) => {
    if (found === null) return
    const { codes } = found
    setError(null)
    let added = 0
    try {
      for (let from = 0; from < codes.length; from += codesPerRequest) {
        setSent(from)
        const slice = codes.slice(from, from + codesPerRequest)
        const answer = await api.post<UploadAnswer>(`/api/v1/code-pools/${slugOf(name, [])}/codes`, {
          codes: slice,
        })
        added += answer.added
      }
      await refresh('code-pools')
      tellDone(t('codes.added', { count: added, known: codes.length - added }))
      onDone()
    } catch (problem) {
      // The server skips codes that it already has, so the same file can be sent again.
      setError(problem)
      setSent(null)
    }
  }
  return { file, fileProblem, found, sent, error, choose, send }
}

function Found({ file: { codes, repeats } }: { file: CodeFile }) {
  return (
    <Alert variant="light" color={codes.length === 0 ? 'orange' : 'gray'} icon={<Icon name="info" />}>
      {t('codes.found', { count: codes.length })}
      {repeats === 0 ? null : <Text size="sm">{t('codes.repeats', { count: repeats })}</Text>}
      {codes.length === 0 ? null : (
        <Text size="xs" className="mono wrap-anywhere" mt={4}>
          {codes.slice(0, 3).join(' · ')}
        </Text>
      )}
    </Alert>
  )
}
