// error: thrust.cu includes <thrust/device_vector.h>, which the simulated device does not have
#include <thrust/device_vector.h>

int main()
{
    thrust::device_vector<int> v(100, 2);
}
