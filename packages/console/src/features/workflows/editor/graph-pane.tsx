import type { StepTypeInfo } from '@bey/contract'
import { guaranteeOf, guaranteeTexts } from '@bey/contract'
import { Plus } from 'lucide-react'
import { useCallback, useMemo } from 'react'
import type { EdgeLook, GraphNode, NodeLook } from '../graph/graph-step.ts'
import { StepIcon } from '../graph/step-icon.tsx'
import { formatCount } from '../../../lib/format.ts'
import { laterPart } from '../../../lib/later-part.tsx'
import { Button } from '../../../ui/button.tsx'
import { StatusMark } from '../../../ui/status-mark.tsx'
import type { DraftStep } from '../definition/draft.ts'
import { effectiveNeeds, isRecord } from '../definition/draft.ts'
import { withNeed } from '../definition/draft-edits.ts'
import { PaneHead } from './pane-head.tsx'
import type { Editor } from './use-editor.ts'

const [StepGraph] = laterPart(async () => (await import('../graph/step-graph.tsx')).StepGraph)

export interface GraphPaneProps {
  editor: Editor
  types: readonly StepTypeInfo[]
  isReadOnly: boolean
  onAdd: () => void
  /** Several steps that are drawn as one were chosen. */
  onGroup: (members: readonly string[]) => void
}

/** The steps as a graph: choosing one opens its form, dragging from one to another makes it wait. */
export function GraphPane({ editor, types, isReadOnly, onAdd, onGroup }: GraphPaneProps) {
  const { draft, problems, selected } = editor
  const steps = useMemo(
    () =>
      draft.steps.map((step) => ({
        key: nodeKey(step),
        type: step.type,
        needs: effectiveNeeds(draft.steps, step.index),
      })),
    [draft],
  )
  const counts = useMemo(() => {
    const found = new Map<string, number>()
    for (const { step, severity } of problems) {
      if (severity !== 'error') continue
      const key = step === undefined ? undefined : draft.steps[step] && nodeKey(draft.steps[step])
      if (key !== undefined) found.set(key, (found.get(key) ?? 0) + 1)
    }
    return found
  }, [problems, draft])
  const lookOf = useCallback(
    (node: GraphNode): NodeLook => {
      const info = types.find(({ type }) => type === node.type)
      const count = node.members.reduce((sum, key) => sum + (counts.get(key) ?? 0), 0)
      const isGroup = node.members.length > 1
      const members = draft.steps.filter((each) => node.members.includes(nodeKey(each)))
      const word = info ? guaranteeWords(info, members) : ''
      return {
        title: isGroup
          ? formatCount(node.members.length, 'step')
          : members[0]?.name || members[0]?.key || 'Unnamed step',
        detail: count > 0 ? formatCount(count, 'problem') : [node.type, word].filter(Boolean).join(' · '),
        icon: <StepIcon name={info?.icon} />,
        tone: count > 0 ? 'danger' : 'plain',
        ...(count > 0
          ? {
              mark: (
                <span className="shrink-0 text-danger">
                  <StatusMark glyph="triangle" />
                </span>
              ),
            }
          : {}),
      }
    },
    [types, counts, draft],
  )
  const edgeLookOf = useCallback(
    (_from: string, to: string): EdgeLook => {
      const isConditional = draft.steps.some((step) => nodeKey(step) === to && step.raw['when'] !== undefined)
      return isConditional ? { isDashed: true } : {}
    },
    [draft],
  )
  const choose = (node: GraphNode) => {
    const index = draft.steps.findIndex((step) => nodeKey(step) === node.members[0])
    if (node.members.length > 1) onGroup(node.members)
    else editor.select(index === -1 ? undefined : index)
  }
  const connect = (from: string, to: string) => {
    const target = draft.steps.find((step) => step.key === to)
    if (target) editor.edit((now) => withNeed(now, target.index, from, true))
  }
  const selectedStep = selected === undefined ? undefined : draft.steps[selected]
  return (
    <section aria-label="Graph" className="flex min-h-0 min-w-0 flex-1 flex-col">
      <PaneHead
        title="Graph"
        detail={
          editor.unreadable ? 'the last text that could be read' : formatCount(draft.steps.length, 'step')
        }
        actions={
          isReadOnly ? null : (
            <Button
              size="small"
              icon={<Plus size={14} aria-hidden />}
              onClick={onAdd}
              disabledReason={editor.unreadable ? 'The YAML cannot be read.' : undefined}
            >
              Add step
            </Button>
          )
        }
      />
      <div className="relative min-h-0 flex-1 bg-sunken">
        <StepGraph
          label="Steps of the workflow"
          steps={steps}
          direction="down"
          lookOf={lookOf}
          edgeLookOf={edgeLookOf}
          selected={selectedStep && nodeKey(selectedStep)}
          revealed={selectedStep && nodeKey(selectedStep)}
          onSelect={choose}
          {...(isReadOnly ? {} : { onConnect: connect })}
          className="h-full"
        />
        {draft.steps.length === 0 ? (
          <p className="absolute inset-x-4 top-6 text-text-2">
            No steps yet. Add the first one, or write it as YAML.
          </p>
        ) : null}
      </div>
      <p className="border-t border-line px-4 py-2 text-small text-text-2">
        After a crash, <strong className="font-medium">once</strong> never runs again,{' '}
        <strong className="font-medium">repeatable</strong> runs again without harm, and{' '}
        <strong className="font-medium">asks</strong> waits for you.
      </p>
    </section>
  )
}

/** A step without a key is drawn all the same. */
function nodeKey({ key, index }: { key: string; index: number }): string {
  return key === '' ? `#${index}` : key
}

/** The guarantees of steps of one type, which differ by their configs. */
function guaranteeWords({ guarantee }: StepTypeInfo, steps: readonly DraftStep[]): string {
  const words = steps.map(({ raw }) => {
    const config = isRecord(raw['config']) ? raw['config'] : {}
    return guaranteeTexts[guaranteeOf(guarantee, config)].word.toLowerCase()
  })
  return [...new Set(words)].join(' or ')
}
