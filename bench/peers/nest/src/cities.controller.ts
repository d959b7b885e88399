import { Controller, Get, Query } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type FindManyOptions, ILike, Repository } from 'typeorm';
import { CitiesQuery, pageAnswer, skipTake } from './pages.ts';
import { City } from './place.entities.ts';

@Controller('api/cities')
export class CitiesController {
  constructor(@InjectRepository(City) private readonly cities: Repository<City>) {}

  @Get('list')
  async list(@Query() query: CitiesQuery) {
    const { search, stateId, countryId, isPaginationNeeded } = query;
    const found: FindManyOptions<City> = {
      where: {
        ...(search ? { name: ILike(`%${search}%`) } : {}),
        ...(stateId === undefined ? {} : { stateId }),
        ...(countryId === undefined ? {} : { countryId }),
      },
      relations: { state: true, country: true },
      order: { name: 'ASC', id: 'ASC' },
    };
    const message = 'Cities retrieved successfully';
    if (!isPaginationNeeded) return { success: true, message, data: await this.cities.find(found) };
    const [cities, totalItems] = await this.cities.findAndCount({ ...found, ...skipTake(query) });
    return pageAnswer(message, cities, totalItems, query);
  }
}
