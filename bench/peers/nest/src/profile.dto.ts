import { IsDateString, IsOptional, IsString, Length, Matches } from 'class-validator';

export class UpdateProfileDto {
  @IsOptional()
  @IsString()
  @Length(1, 100)
  firstName?: string;

  @IsOptional()
  @IsString()
  @Length(1, 100)
  lastName?: string;

  @IsOptional()
  @Matches(/^\+?[\d ()-]{7,30}$/)
  phone?: string;

  @IsOptional()
  @IsDateString()
  dateOfBirth?: string;

  @IsOptional()
  @IsString()
  @Length(1, 50)
  gender?: string;

  @IsOptional()
  @IsString()
  @Length(1, 255)
  addressLine1?: string;

  @IsOptional()
  @IsString()
  @Length(1, 255)
  addressLine2: string | null = null;

  @IsOptional()
  @Matches(/^[A-Za-z0-9 -]{3,12}$/)
  pincode?: string;
}
