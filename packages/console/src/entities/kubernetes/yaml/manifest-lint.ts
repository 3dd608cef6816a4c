import { forceLinting, linter } from '@codemirror/lint'
import type { EditorState, Extension } from '@codemirror/state'
import { StateEffect, StateField } from '@codemirror/state'
import type { EditorView } from '@codemirror/view'
import type { ClusterSchemas } from './cluster-schemas.ts'
import { parseManifest } from './manifest-documents.ts'
import type { Manifest } from './manifest-documents.ts'
import type { TextProblem } from './text-problem.ts'
import { validateDocument } from './validate-manifest.ts'

const lintDelayMs = 300
/** More marks would slow the editor, and help nobody. */
const maxShown = 200

/** All that is wrong with a text before the cluster is asked, and the documents that can be read. */
async function checkManifest(text: string, schemas: ClusterSchemas): Promise<Manifest> {
  const manifest = parseManifest(text)
  const found = await Promise.all(
    manifest.documents.map(async (document) => {
      const set = await schemas.find(document.apiVersion)
      return set ? validateDocument(document, set) : []
    }),
  )
  return { ...manifest, problems: [...manifest.problems, ...found.flat()] }
}

const setServerProblems = StateEffect.define<readonly TextProblem[]>()

/** What the cluster said is wrong, until the text changes. */
const serverProblems = StateField.define<readonly TextProblem[]>({
  create: () => [],
  update: (problems, transaction) => {
    for (const effect of transaction.effects) if (effect.is(setServerProblems)) return effect.value
    return transaction.docChanged ? [] : problems
  },
})

/** Marks what is wrong at its place: what the text itself shows, and what the cluster answered. */
export function manifestLint(
  schemas: ClusterSchemas,
  /** Problems that only the user of the editor knows. */
  others: (state: EditorState) => readonly TextProblem[] = () => [],
): Extension {
  return [
    serverProblems,
    linter(
      async ({ state }) => {
        const text = state.doc.toString()
        const { problems } = await checkManifest(text, schemas)
        const all = [...state.field(serverProblems), ...others(state), ...problems]
        return all.slice(0, maxShown).map((problem) => ({
          ...problem,
          from: Math.min(problem.from, text.length),
          to: Math.min(problem.to, text.length),
        }))
      },
      {
        delay: lintDelayMs,
        needsRefresh: ({ transactions }) => transactions.some(({ effects }) => effects.length > 0),
      },
    ),
  ]
}

/** Shows at their lines what the cluster said is wrong. */
export function showServerProblems(view: EditorView, problems: readonly TextProblem[]): void {
  view.dispatch({ effects: setServerProblems.of(problems) })
  forceLinting(view)
}
