/** A page of the documentation: its address below `/docs/`, and the file of `docs/` that it is made of. */
export interface Source {
  slug: string
  /** From the root of the repository; undefined where the page is made of the contract. */
  file: string | undefined
}

const page = (slug: string, file = `docs/${slug}.md`): Source => ({ slug, file })
const made = (slug: string): Source => ({ slug, file: undefined })

/** The documentation in its order. */
export const contents: readonly { name: string; pages: readonly Source[] }[] = [
  {
    name: 'Start',
    pages: [page('start/what-bey-is'), page('start/first-cluster'), page('start/first-workflow')],
  },
  {
    name: 'Guides',
    pages: [
      page('guides/find-out-why-it-fails'),
      page('guides/roll-back'),
      page('guides/rotate-a-secret'),
      page('guides/restore-a-database'),
      page('guides/invite-and-limit'),
      page('guides/split-the-bill'),
    ],
  },
  {
    name: 'Concepts',
    pages: [
      page('concepts/health'),
      page('concepts/live-data'),
      page('concepts/guarantees'),
      page('concepts/glossary', 'docs/glossary.md'),
    ],
  },
  {
    name: 'Services',
    pages: [
      page('services/workflows', 'docs/workflows.md'),
      page('services/databases', 'docs/databases.md'),
      page('services/networking', 'docs/networking.md'),
      page('services/insight', 'docs/insight.md'),
      page('services/billing', 'docs/billing.md'),
      page('services/reports', 'docs/reports.md'),
    ],
  },
  {
    name: 'Reference',
    pages: [
      page('reference/api', 'docs/api.md'),
      page('reference/cli', 'docs/cli.md'),
      page('reference/as-code', 'docs/as-code.md'),
      page('reference/mcp', 'docs/mcp.md'),
      made('reference/permissions'),
      page('reference/errors', 'docs/errors.md'),
    ],
  },
  {
    name: 'Operation',
    pages: [
      page('operation/install', 'docs/install.md'),
      made('operation/settings'),
      page('operation/operations', 'docs/operations.md'),
      page('operation/growth', 'docs/growth.md'),
    ],
  },
]

export const sources = contents.flatMap(({ pages }) => pages)
