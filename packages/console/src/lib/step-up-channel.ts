/** Tells the other tabs of this browser that a provider has confirmed who is there. */
export const stepUpChannel = 'bey-step-up'
