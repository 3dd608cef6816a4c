import type { Cluster } from '@bey/contract'
import type { EditorView } from '@codemirror/view'
import { useState } from 'react'
import { useNamespaces } from '../../data/kubernetes.ts'
import { useClusterStaleReason } from '../../entities/clusters/use-cluster-stale-reason.ts'
import { documentKey } from '../../entities/kubernetes/manifests/apply-manifest.ts'
import type { DocumentResult } from '../../entities/kubernetes/manifests/apply-manifest.ts'
import { withLiveValue } from './conflict-answers.ts'
import { useManifestRun } from './use-manifest-run.ts'
import { showServerProblems } from '../../entities/kubernetes/yaml/manifest-lint.ts'
import type { ManifestDocument } from '../../entities/kubernetes/yaml/manifest-documents.ts'
import { parseManifest } from '../../entities/kubernetes/yaml/manifest-documents.ts'
import { parseFieldPath, positionOfPath } from '../../entities/kubernetes/yaml/position-of-path.ts'
import type { Free } from '../../entities/kubernetes/yaml/text-problem.ts'
import { useManifestEditing } from '../../entities/kubernetes/yaml/use-manifest-editing.ts'
import { useUnsaved } from '../../lib/unsaved.ts'
import { CodeEditor } from '../../ui/code-editor/code-editor.tsx'
import { replaceText } from '../../ui/code-editor/replace-text.ts'
import { readDraft, writeDraft } from './manifest-draft.ts'
import { ManifestPanel } from './manifest-panel.tsx'
import { ManifestToolbar } from './manifest-toolbar.tsx'

export interface ManifestFormProps {
  cluster: Cluster
  userId: number
  denied: string | undefined
}

/** The editor of new objects with what will become of each beside it. */
export function ManifestForm({ cluster, userId, denied }: ManifestFormProps) {
  const [view, setView] = useState<EditorView | null>(null)
  const [text, setText] = useState(() => readDraft(userId, cluster.id))
  const [notKept, setNotKept] = useState<string>()
  const [namespace, setNamespace] = useState('default')
  const [problem, setProblem] = useState<string>()
  const run = useManifestRun(cluster.id, namespace)
  const stale = useClusterStaleReason(cluster.id)
  const namespaces = useNamespaces(cluster.id)
  const extensions = useManifestEditing(cluster.id)
  const isDone = run.phase === 'applied' && run.results.every(({ outcome }) => outcome.state !== 'refused')
  const saved = useUnsaved(text.trim() === '' || isDone ? undefined : 'the manifest that you write')
  const missing = missingNamespaces(text, namespace, namespaces.data)

  const change = (next: string) => {
    setText(next)
    setProblem(undefined)
    run.restart()
    setNotKept(writeDraft(userId, cluster.id, next))
  }
  const put = (next: string) => (view ? replaceText(view, next) : undefined)
  const add = (more: string) => put(text.trim() === '' ? more : `${text.trimEnd()}\n---\n${more}`)

  async function submit() {
    if ((denied ?? stale) !== undefined || run.isBusy) return
    const { documents, problems } = parseManifest(text)
    const [first] = problems
    if (first || documents.length === 0) {
      const line = text.slice(0, first?.from ?? 0).split('\n').length
      setProblem(first ? `Line ${line}: ${first.message}` : 'Write, paste or drop an object first.')
      return
    }
    if (run.phase !== 'reviewed') return showRefused(await run.review(documents))
    if (run.results.some(({ outcome }) => outcome.state === 'refused')) return
    await apply(documents)
  }

  async function apply(documents: readonly ManifestDocument[]) {
    const results = await run.apply(documents)
    showRefused(results)
    if (results.some(({ outcome }) => outcome.state === 'refused')) return
    saved()
    writeDraft(userId, cluster.id, '')
  }

  function showRefused(results: readonly DocumentResult[]) {
    const problems = results.flatMap(({ outcome }) =>
      outcome.state === 'refused' ? outcome.refusal.problems : [],
    )
    if (view && problems.length > 0) showServerProblems(view, problems)
  }

  function show(at: number) {
    if (!view) return
    view.dispatch({ selection: { anchor: at }, scrollIntoView: true })
    view.focus()
  }

  /** Every conflict of a document is answered: live values go into the text, the rest is forced. */
  async function answer(result: DocumentResult, live: Free | undefined, theirs: readonly string[]) {
    const key = documentKey(result.document)
    const count = result.outcome.state === 'refused' ? result.outcome.refusal.managerConflicts.length : 0
    let next = text
    for (const field of live ? theirs : []) {
      const document = parseManifest(next).documents.find((each) => documentKey(each) === key)
      if (document && live) next = withLiveValue(next, document, field, live)
    }
    if (next !== text) put(next)
    const force = new Set(run.forced)
    if (theirs.length < count) force.add(key)
    showRefused(await run.review(parseManifest(next).documents, force))
  }

  return (
    <div className="grid lg:grid-cols-[minmax(0,1fr)_24rem]">
      <div className="flex min-w-0 flex-col border-line lg:border-r">
        <ManifestToolbar
          denied={denied}
          namespace={namespace}
          namespaces={namespaces.data?.namespaces.map(({ name }) => name) ?? ['default']}
          onNamespace={(next) => {
            setNamespace(next)
            run.restart()
          }}
          onAdd={add}
        />
        <div
          className="relative h-[50dvh] min-h-80 lg:h-[calc(100dvh-13rem)]"
          onDragOver={(event) => event.preventDefault()}
          onDrop={(event) => {
            const files = [...event.dataTransfer.files]
            if (files.length === 0 || denied) return
            event.preventDefault()
            void Promise.all(files.map((file) => file.text())).then((texts) => add(texts.join('\n---\n')))
          }}
        >
          <CodeEditor
            initialText={text}
            language="yaml"
            label={`Objects for ${cluster.title}`}
            isReadOnly={denied !== undefined}
            extensions={extensions}
            onChange={change}
            onSubmit={() => void submit()}
            onView={setView}
            className="absolute inset-0"
          />
        </div>
      </div>
      <ManifestPanel
        cluster={cluster}
        run={run}
        denied={denied}
        stale={stale}
        isEmpty={text.trim() === ''}
        problem={problem}
        notKept={notKept}
        missing={missing}
        onAddNamespaces={() =>
          put(
            `${missing.map((name) => `apiVersion: v1\nkind: Namespace\nmetadata:\n  name: ${name}\n---\n`).join('')}${text}`,
          )
        }
        onShow={({ document }) => show(document.from)}
        onEditField={({ document }, field) =>
          show(positionOfPath(document.node, parseFieldPath(field, document.object)).from)
        }
        onAnswer={(result, live, theirs) => void answer(result, live, theirs)}
        onRetry={() => void run.retry().then(showRefused)}
        onSubmit={() => void submit()}
      />
    </div>
  )
}

/** Namespaces that the manifest uses and neither the cluster nor the manifest has. */
function missingNamespaces(
  text: string,
  fallback: string,
  known: { namespaces: readonly { name: string }[]; total: number } | undefined,
): string[] {
  // Only what is listed whole can be said to be missing.
  if (!known || known.total > known.namespaces.length) return []
  const { documents } = parseManifest(text)
  const own = documents.flatMap(({ kind, name }) => (kind === 'Namespace' ? [name] : []))
  const there = new Set([...known.namespaces.map(({ name }) => name), ...own, fallback])
  return [...new Set(documents.map(({ namespace }) => namespace))].filter(
    (name) => name !== '' && !there.has(name),
  )
}
