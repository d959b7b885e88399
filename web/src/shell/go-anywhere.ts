/** The event that opens the command palette, which is loaded with the pages. */
export const GO_ANYWHERE = 'go-anywhere';
