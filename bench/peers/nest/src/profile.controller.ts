import { Body, Controller, Get, HttpCode, Post, UseGuards } from '@nestjs/common';
import { AuthGuard, Caller } from './auth.guard.ts';
import { User } from './people.entities.ts';
import { UpdateProfileDto } from './profile.dto.ts';
import { ProfileService } from './profile.service.ts';

@Controller('api/users')
@UseGuards(AuthGuard)
export class ProfileController {
  constructor(private readonly profiles: ProfileService) {}

  @Get('profile')
  async view(@Caller() caller: User) {
    const data = await this.profiles.find(caller.id);
    return { success: true, message: 'User profile retrieved successfully', data };
  }

  @Post('update-profile')
  @HttpCode(200)
  async update(@Caller() caller: User, @Body() changes: UpdateProfileDto) {
    const data = await this.profiles.update(caller, changes);
    return { success: true, message: 'Profile updated successfully', data };
  }
}
