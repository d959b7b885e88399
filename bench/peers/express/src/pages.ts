import { z } from 'zod';

/** Query parameters of every paginated list. */
export const pageQuery = (maximum: number) =>
  z.object({
    search: z.string().max(256).optional(),
    page: z.coerce.number().int().min(1).default(1),
    limit: z.coerce.number().int().min(1).max(maximum).default(10),
  });

interface PageRequest {
  page: number;
  limit: number;
}

export const skipTake = ({ page, limit }: PageRequest) => ({ skip: (page - 1) * limit, take: limit });

export function pageAnswer(message: string, data: unknown[], totalItems: number, { page, limit }: PageRequest) {
  const totalPages = Math.ceil(totalItems / limit);
  return {
    success: true,
    message,
    data,
    pagination: {
      totalItems,
      currentPage: page,
      totalPages,
      pageSize: limit,
      hasNextPage: page < totalPages,
      hasPreviousPage: page > 1,
    },
  };
}
