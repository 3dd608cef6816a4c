/** Why a part of a cluster is not shown, and who can change that. */
export const forbiddenText = (title: string) =>
  `The account that Bey uses in the cluster "${title}" may not read this. Whoever administers the cluster can grant the right.`
