/** The event that opens the way anywhere, which comes with the pages. */
export const GO_ANYWHERE = 'go-anywhere';
