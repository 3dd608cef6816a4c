import { queryClient } from './query-client.ts'

/**
 * Reads a broken page's data again. While the error page is shown nothing of the page itself is on screen: what no
 * screen uses is forgotten, or the page would break over the same data. What is on screen stays while it is read again.
 */
export async function refetchPage(): Promise<void> {
  queryClient.removeQueries({ type: 'inactive', predicate: isApiQuery })
  await queryClient.refetchQueries({ type: 'active', predicate: isApiQuery })
}

const isApiQuery = ({ queryKey: [path] }: { queryKey: readonly unknown[] }) => String(path).startsWith('/')
