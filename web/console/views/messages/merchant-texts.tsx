/** The texts that all campaigns use, unless they have own ones. */
import type { MessageTextsAnswer } from '../../../../src/http/answers/messages.ts'
import { Form } from '../../parts/form.tsx'
import { Loaded } from '../../parts/states.tsx'
import { useApi, useMay, useRead } from '../../session.tsx'
import { useEdits } from '../campaigns/change-campaign.ts'
import { Saving } from './saving.tsx'
import { TextsEditor } from './texts-editor.tsx'
import { useTextPlaces } from './use-texts.ts'

export function MerchantTexts() {
  const texts = useRead<MessageTextsAnswer>(['campaigns', 'message-texts'], '/api/v1/messages/texts')
  return <Loaded query={texts}>{(saved) => <Editor saved={saved} />}</Loaded>
}

function Editor({ saved }: { saved: MessageTextsAnswer }) {
  const api = useApi()
  const may = useMay()
  const edits = useEdits({
    saved,
    names: ['kinds'],
    send: (_, { kinds }) =>
      api.put('/api/v1/messages/texts', { kinds }, { 'If-Match': `"${saved.revision}"` }),
  })
  const { kinds } = edits.draft
  const places = useTextPlaces(kinds)
  return (
    <Form onSubmit={() => places.saveOr(edits.save)} gap="lg">
      <div className="editor">
        <TextsEditor
          {...places}
          texts={kinds}
          isReadOnly={!may.edit}
          onChange={(kind, texts) => edits.set({ kinds: { ...kinds, [kind]: texts } })}
        />
      </div>
      <Saving edits={edits} problemCount={places.problems.length} />
    </Form>
  )
}
