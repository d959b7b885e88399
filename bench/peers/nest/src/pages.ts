import { Transform, Type } from 'class-transformer';
import { IsBoolean, IsInt, IsOptional, IsString, IsUUID, Matches, Max, MaxLength, Min } from 'class-validator';

/** `"true"` and `"false"` of a query string. */
const toBoolean = ({ value }: { value: unknown }) => (value === 'true' ? true : value === 'false' ? false : value);

export class PageQuery {
  @IsOptional()
  @IsString()
  @MaxLength(256)
  search?: string;

  @Type(() => Number)
  @IsInt()
  @Min(1)
  page = 1;

  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(100)
  limit = 10;
}

export class CompaniesQuery extends PageQuery {
  @IsOptional()
  @Transform(toBoolean)
  @IsBoolean()
  activeOnly?: boolean;
}

export class CompanyQuery extends PageQuery {
  @IsUUID()
  companyId: string;
}

export class EvaluationQuery {
  @IsString()
  @MaxLength(100)
  id: string;

  @Matches(/^\d{1,13}\.\d{2}$/)
  amount: string;
}

export class CitiesQuery {
  @IsOptional()
  @IsString()
  @MaxLength(256)
  search?: string;

  @IsOptional()
  @Type(() => Number)
  @IsInt()
  stateId?: number;

  @IsOptional()
  @Type(() => Number)
  @IsInt()
  countryId?: number;

  @Transform(toBoolean)
  @IsBoolean()
  isPaginationNeeded = false;

  @Type(() => Number)
  @IsInt()
  @Min(1)
  page = 1;

  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(1000)
  limit = 10;
}

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
