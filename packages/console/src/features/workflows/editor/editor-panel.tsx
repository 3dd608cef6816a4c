import type { StepTypeInfo } from '@bey/contract'
import type { TextFieldProps } from '../schema-form/text-field.ts'
import { ExpressionField } from './expression-field.tsx'
import { GroupPanel } from './group-panel.tsx'
import { StepPanel } from './step-panel.tsx'
import type { KnownValues, Suggestion } from './suggestions.ts'
import { TestStep } from './test-step.tsx'
import type { Editor } from './use-editor.ts'
import { WorkflowPanel } from './workflow-panel.tsx'

export interface EditorPanelProps {
  editor: Editor
  types: readonly StepTypeInfo[]
  known: KnownValues | undefined
  /** The run whose values expressions are shown with. */
  lastRunId: string | undefined
  /** Steps that are drawn as one and were chosen together. */
  group: readonly string[] | undefined
  onGroupClose: () => void
  suggestions: (step: number | undefined) => readonly Suggestion[]
  isReadOnly: boolean
}

/** The form of what is selected: a step, several drawn as one, or the workflow. */
export function EditorPanel(props: EditorPanelProps) {
  const { editor, types, known, lastRunId, group, onGroupClose, suggestions, isReadOnly } = props
  const step = editor.selected === undefined ? undefined : editor.draft.steps[editor.selected]
  const names = suggestions(editor.selected)
  const source = known ? 'Values of the last run' : 'What it can name'
  const last = lastRunId === undefined ? undefined : { id: lastRunId, stepKey: step?.key }
  const textField = (field: TextFieldProps) => (
    <ExpressionField {...field} suggestions={names} source={source} last={last} />
  )
  if (group && step === undefined)
    return <GroupPanel editor={editor} members={group} onClose={onGroupClose} />
  if (!step) return <WorkflowPanel editor={editor} isReadOnly={isReadOnly} textField={textField} />
  return (
    <StepPanel
      // Each step has fields of its own: what was typed in one is not the other's.
      key={step.index}
      editor={editor}
      step={step}
      types={types}
      isReadOnly={isReadOnly}
      textField={textField}
      footer={
        isReadOnly ? null : (
          <TestStep
            key={step.index}
            editor={editor}
            step={step}
            info={types.find(({ type }) => type === step.type)}
            known={known}
          />
        )
      }
    />
  )
}
