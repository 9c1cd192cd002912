/** The first steps, from an empty merchant to a spin on one's own phone. Hidden once all are done, or by hand. */
import {
  Anchor,
  Button,
  CloseButton,
  Collapse,
  Group,
  Paper,
  Progress,
  Stack,
  Text,
  Title,
} from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { type ReactNode, useState } from 'react'
import { Link } from 'wouter'
import type { PlayersAnswer } from '../../../../src/http/answers/players.ts'
import type { PlaysAnswer } from '../../../../src/http/answers/plays.ts'
import type { TokensAnswer } from '../../../../src/http/answers/tokens.ts'
import type { WheelsAnswer } from '../../../../src/http/answers/wheels.ts'
import { CopyText } from '../../parts/copy.tsx'
import { Icon } from '../../parts/icons.tsx'
import { useApi, useMay, useMerchant, useRead } from '../../session.tsx'
import { t } from '../../texts.ts'
import { grantLine, linkLine } from '../curl.ts'
import { OnYourPhone } from '../campaigns/home/on-your-phone.tsx'
import { useFreshToken, useIssueToken } from '../fresh-token.ts'
import { MoneyAndTime } from './money-and-time.tsx'

type Step = { name: 'money' | 'wheel' | 'call' | 'phone'; isDone: boolean; body: ReactNode }

export function Checklist() {
  const { merchant } = useApi()
  const may = useMay()
  const [isHidden, setHidden] = useLocalStorage({
    key: `wheelhouse-checklist-${merchant}`,
    defaultValue: false,
    getInitialValueInEffect: false,
  })
  const steps = useSteps()
  if (isHidden || !may.edit || steps === undefined || steps.every((step) => step.isDone)) return null
  const done = steps.filter((step) => step.isDone).length
  return (
    <Paper component="section" aria-labelledby="checklist-title">
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <div>
          <Title order={2} id="checklist-title">
            {t('checklist.title')}
          </Title>
          <Text size="sm" c="dimmed">
            {t('checklist.done', { done, all: steps.length })}
          </Text>
        </div>
        <CloseButton aria-label={t('checklist.hide')} onClick={() => setHidden(true)} />
      </Group>
      <Progress
        value={(done / steps.length) * 100}
        mt="sm"
        mb="sm"
        size="sm"
        aria-label={t('checklist.title')}
      />
      <Steps steps={steps} />
    </Paper>
  )
}

function Steps({ steps }: { steps: Step[] }) {
  const next = steps.find((step) => !step.isDone)?.name
  const [chosen, setChosen] = useState<{ name: string | null; before: string | undefined }>()
  // The open step stays open until it is done; then the next one opens by itself.
  const open = chosen !== undefined && chosen.before === next ? chosen.name : next
  const setOpen = (name: string | null) => setChosen({ name, before: next })
  return (
    <ol className="steps">
      {steps.map((step, index) => {
        const isOpen = open === step.name
        return (
          <li key={step.name}>
            <button
              type="button"
              className="step"
              aria-expanded={isOpen}
              onClick={() => setOpen(isOpen ? null : step.name)}
            >
              <span className="step-mark" data-done={step.isDone}>
                {step.isDone ? <Icon name="check" size={14} /> : index + 1}
              </span>
              <span>{t(`checklist.${step.name}`)}</span>
              {step.isDone ? (
                <Text component="span" size="xs" c="dimmed">
                  {t('checklist.isDone')}
                </Text>
              ) : null}
            </button>
            <Collapse expanded={isOpen} transitionDuration={0}>
              {isOpen ? <div className="step-body">{step.body}</div> : null}
            </Collapse>
          </li>
        )
      })}
    </ol>
  )
}

/** Derives the finished steps from the merchant's data. Undefined until all of it is loaded. */
function useSteps(): Step[] | undefined {
  const { merchant, currency } = useMerchant()
  const may = useMay()
  const tokens = useRead<TokensAnswer>(['tokens'], '/api/v1/tokens')
  const players = useRead<PlayersAnswer>(['players', 'any'], '/api/v1/players?limit=1')
  const wheels = useRead<WheelsAnswer>(['wheels'], '/api/v1/wheels')
  const plays = useRead<PlaysAnswer>(['plays', 'any'], '/api/v1/plays?limit=1', {
    refetchInterval: 5_000,
  })
  if (!tokens.data || !players.data || !wheels.data || !plays.data) return undefined
  const base = `/m/${merchant}`
  return [
    ...(may.administer
      ? [{ name: 'money' as const, isDone: currency !== null, body: <MoneyAndTime /> }]
      : []),
    {
      name: 'wheel',
      isDone: wheels.data.wheels.some((wheel) => wheel.draftRevision > 1),
      body: (
        <Group>
          <Text size="sm">{t('checklist.wheelText')}</Text>
          <Button component={Link} href={`${base}/wheels/${wheels.data.wheels[0]?.wheel ?? ''}`} size="xs">
            {t('checklist.openEditor')}
          </Button>
        </Group>
      ),
    },
    {
      name: 'call',
      isDone: players.data.players.length > 0,
      body: (
        <CallStep base={base} hasToken={tokens.data.tokens.some(({ revokedAt }) => revokedAt === null)} />
      ),
    },
    {
      name: 'phone',
      isDone: plays.data.plays.length > 0,
      body: <OnYourPhone campaign="main" />,
    },
  ]
}

const tokenPlace = '<your token>'

/** By hand, or by the merchant's server, with lines that show how. */
function CallStep({ base, hasToken }: { base: string; hasToken: boolean }) {
  const fresh = useFreshToken()
  const token = fresh ?? tokenPlace
  return (
    <Stack gap="xs">
      <Text size="sm">
        {t('checklist.byHand')}{' '}
        <Anchor component={Link} href={`${base}/players`} size="sm" underline="always">
          {t('checklist.toPlayers')}
        </Anchor>
      </Text>
      {hasToken ? (
        <>
          <Text size="sm">{t(fresh === null ? 'checklist.callText' : 'checklist.callTextFresh')}</Text>
          <CopyText text={grantLine(location.origin, token)} label={t('tokens.line')} />
          <Text size="sm">{t('checklist.linkText')}</Text>
          <CopyText text={linkLine(location.origin, token)} label={t('checklist.linkLine')} />
        </>
      ) : (
        <TokenStep base={base} />
      )}
    </Stack>
  )
}

function TokenStep({ base }: { base: string }) {
  const may = useMay()
  const issue = useIssueToken()
  return (
    <Group>
      <Text size="sm">{t('checklist.tokenText')}</Text>
      {may.administer ? (
        <>
          <Button
            size="xs"
            loading={issue.isPending}
            onClick={() => issue.mutate({ name: t('checklist.title'), scopes: ['spins', 'links'] })}
          >
            {t('checklist.makeToken')}
          </Button>
          <Anchor component={Link} href={`${base}/developers?new=token`} size="sm">
            {t('checklist.otherToken')}
          </Anchor>
        </>
      ) : (
        <Text size="sm">{t('checklist.askOwner')}</Text>
      )}
    </Group>
  )
}
