/** The texts of messages: one kind in one language at a time, beside how it looks. */
import { Paper, Select, Stack, Text, Title } from '@mantine/core'
import { type MessageKind, messageKinds } from '../../../../src/messages/message-texts.ts'
import { tellFirst } from '../../parts/notify.ts'
import { CollectUnfinished, focusUnfinished, useUnfinishedPart } from '../../parts/unfinished.tsx'
import { t } from '../../texts.ts'
import { LanguageChoice } from '../editor/texts/language-choice.tsx'
import { MessagePreview } from './message-preview.tsx'
import { MessageTextFields } from './text-fields.tsx'
import {
  type Shown,
  type ShownKind,
  type TextPlace,
  type TextProblem,
  type TextsByKind,
  withText,
} from './use-texts.ts'

const codeKind = 'address_code'

export function TextsEditor(props: {
  texts: TextsByKind
  /** Undefined for the texts of the merchant. */
  campaign?: string
  shown: Shown
  problems: readonly TextProblem[]
  hasTried: boolean
  isReadOnly: boolean
  onShow: (shown: Shown) => void
  onChange: (kind: MessageKind, texts: TextsByKind[MessageKind]) => void
}) {
  const { texts, campaign, shown, problems, onShow } = props
  const { kind, language } = shown
  const unfinished = useUnfinishedPart()
  const show = (next: Shown) => {
    if (!unfinished.hasUnfinished) return onShow(next)
    focusUnfinished()
    tellFirst(t('editor.unfinished'))
  }
  const own = kind === codeKind ? undefined : texts[kind]
  return (
    <>
      <Paper component="section" aria-labelledby="message-texts">
        <Title order={2} id="message-texts">
          {t('messages.texts')}
        </Title>
        <Text size="sm" c="dimmed" mb="md">
          {t(campaign === undefined ? 'messages.textsText' : 'messages.campaignTextsText')}
        </Text>
        <Stack gap="md">
          <KindChoice kind={kind} onKind={(next) => show({ kind: next, language })} />
          <LanguageChoice
            used={messageKinds.flatMap((one) => Object.keys(texts[one]))}
            countsOf={(tag) => ({ count: own?.[tag] === undefined ? 0 : 1, outdated: 0 })}
            tag={language}
            onTag={(next) => show({ kind, language: next })}
            isReadOnly={props.isReadOnly}
          />
          <CollectUnfinished value={unfinished.report}>
            {kind === codeKind ? (
              <Text size="sm">{t('messages.codeText')}</Text>
            ) : (
              <OwnText key={`${kind} ${language}`} {...props} place={{ kind, language }} />
            )}
          </CollectUnfinished>
        </Stack>
      </Paper>
      <MessagePreview
        order={{ kind, language, campaign, texts: own }}
        isWrong={problems.some((one) => one.kind === kind)}
      />
    </>
  )
}

function OwnText(props: Parameters<typeof TextsEditor>[0] & { place: TextPlace }) {
  const { texts, campaign, place, problems, hasTried, isReadOnly, onChange } = props
  const { kind, language } = place
  const text = texts[kind][language]
  return (
    <Stack gap="sm">
      <MessageTextFields
        place={place}
        text={text ?? { subject: '', lead: '' }}
        problems={problems}
        hasTried={hasTried}
        isReadOnly={isReadOnly}
        onChange={(change) => onChange(kind, withText(texts[kind], language, change))}
      />
      {text === undefined ? (
        <Text size="sm" c="dimmed">
          {t(campaign === undefined ? 'messages.ours' : 'messages.inherited')}
        </Text>
      ) : null}
    </Stack>
  )
}

function KindChoice({ kind, onKind }: { kind: ShownKind; onKind: (kind: ShownKind) => void }) {
  const kinds = [...messageKinds, codeKind] as const
  return (
    <Select
      label={t('messages.kind')}
      data={kinds.map((value) => ({ value, label: t(`messages.kind.${value}`) }))}
      value={kind}
      allowDeselect={false}
      onChange={(next) => next !== null && onKind(next)}
    />
  )
}
