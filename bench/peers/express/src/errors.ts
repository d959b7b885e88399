import type { NextFunction, Request, Response } from 'express';
import { ZodError } from 'zod';

export class HttpError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Express knows an error handler by its four parameters. */
export function handleErrors(error: unknown, _request: Request, response: Response, _next: NextFunction): void {
  if (error instanceof ZodError) response.status(400).json({ success: false, message: error.message });
  else if (error instanceof HttpError) response.status(error.status).json({ success: false, message: error.message });
  else response.status(500).json({ success: false, message: 'Something went wrong.' });
}
